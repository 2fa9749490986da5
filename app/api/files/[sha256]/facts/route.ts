import { endpoint } from "@/app/api/endpoint";
import { fileNotFound } from "@/lib/chat/core/file-store";

export const GET = endpoint("GET /api/files/:sha256/facts", async ({ owner, params }) => {
  const [file] = await owner.files.touch([params.sha256]);
  if (!file) throw fileNotFound();
  return file;
});

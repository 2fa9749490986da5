import { endpoint } from "@/app/api/endpoint";
import { fileNotFound } from "@/lib/chat/core/file-store";

export const GET = endpoint("GET /api/files/:sha256/facts", async ({ owner, params }) => {
  const known = await owner.files.get(params.sha256);
  const [file] = known ? await owner.files.touch([known.sha256]) : [];
  if (!file) throw fileNotFound();
  return file;
});

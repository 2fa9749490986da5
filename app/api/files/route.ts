import { endpoint } from "@/app/api/endpoint";
import { takeUpload } from "@/lib/server/file-transfer";

export const POST = endpoint("POST /api/files", ({ owner, request, query }) =>
  takeUpload(owner.files, request, query.name ?? ""),
);

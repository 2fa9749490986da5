import { endpoint } from "@/app/api/endpoint";
import { takeUpload } from "@/lib/server/file-transfer";

export const GET = endpoint("GET /api/files", ({ owner }) => owner.files.storage());

export const POST = endpoint("POST /api/files", ({ owner, request, query }) =>
  takeUpload(owner.files, request, query.name ?? ""),
);

import { endpoint } from "@/app/api/endpoint";
import { importEverything } from "@/lib/chat/data/portable-data";
import { uploadLines } from "@/lib/server/upload-lines";

export const POST = endpoint("POST /api/import", ({ owner, request }) =>
  importEverything(owner, uploadLines(request.body)),
);

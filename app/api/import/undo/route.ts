import { endpoint } from "@/app/api/endpoint";
import { undoImport } from "@/lib/chat/data/undo-import";

export const POST = endpoint("POST /api/import/undo", ({ owner, body }) => undoImport(owner, body));

import { endpoint } from "@/app/api/endpoint";
import { storeNote } from "@/lib/chat/branches/notes";

export const POST = endpoint("POST /api/sessions/:sessionId/notes", ({ owner, params, body }) =>
  storeNote(owner, params.sessionId, body),
);

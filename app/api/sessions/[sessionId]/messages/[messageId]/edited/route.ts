import { endpoint } from "@/app/api/endpoint";
import { editAnswer } from "@/lib/chat/branches/edit-answer";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/messages/:messageId/edited",
  ({ owner, params, body }) => editAnswer(owner, params, body),
);

import { endpoint } from "@/app/api/endpoint";
import { sendMessage } from "@/lib/chat/answering/send-message";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/messages",
  ({ answering, params, body }) => sendMessage(answering, params.sessionId, body),
);

export const DELETE = endpoint(
  "DELETE /api/sessions/:sessionId/messages",
  ({ owner, params, body }) => deleteMessages(owner, params.sessionId, body),
);

import { endpoint } from "@/app/api/endpoint";
import { decideCall } from "@/lib/chat/answering/decide-call";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/messages/:messageId/approvals/:approvalId",
  ({ answering, params, body }) => decideCall(answering, params, body),
);

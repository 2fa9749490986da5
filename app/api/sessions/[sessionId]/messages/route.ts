import { sendMessage } from "@/lib/chat/answering/send-message";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";
import { deleteMessagesRequest, sendRequest } from "@/lib/chat/wire/messages";
import { bodyOf, route } from "@/lib/server/route";

interface Params {
  sessionId: string;
}

export const POST = route<Params>(async ({ owner, answering, params, request, services }) => {
  const body = await bodyOf(request, sendRequest);
  const answer = await sendMessage(answering, params.sessionId, body);
  services.tell(owner.ownerId, { type: "session-changed", sessionId: params.sessionId });
  return Response.json(answer, { status: 201 });
});

export const DELETE = route<Params>(async ({ owner, params, request, services }) => {
  const body = await bodyOf(request, deleteMessagesRequest);
  const deletion = await deleteMessages(owner, params.sessionId, body);
  services.tell(owner.ownerId, { type: "session-changed", sessionId: params.sessionId });
  return Response.json(deletion);
});

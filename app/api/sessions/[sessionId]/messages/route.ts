import { sendMessage } from "@/lib/chat/answering/send-message";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";
import { deleteMessagesRequest, sendRequest } from "@/lib/chat/wire/messages";
import { bodyOf, route } from "@/lib/server/route";

interface Params {
  sessionId: string;
}

export const POST = route<Params>(async ({ answering, params, request }) => {
  const body = await bodyOf(request, sendRequest);
  return Response.json(await sendMessage(answering, params.sessionId, body), { status: 201 });
});

export const DELETE = route<Params>(async ({ owner, params, request }) => {
  const body = await bodyOf(request, deleteMessagesRequest);
  return Response.json(await deleteMessages(owner, params.sessionId, body));
});

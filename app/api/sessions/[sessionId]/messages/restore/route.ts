import { messagesOf } from "@/lib/chat/sessions/transcript";
import { restoreMessagesRequest } from "@/lib/chat/wire/messages";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, params, request }) => {
  const { deletionId } = await bodyOf(request, restoreMessagesRequest);
  await (await messagesOf(owner, params.sessionId)).restoreMessages(deletionId);
  return Response.json({ ok: true });
});

import { answerMessage } from "@/lib/chat/answering/send-message";
import { runWire } from "@/lib/chat/sessions/transcript";
import { startRunRequest } from "@/lib/chat/wire/messages";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ answering, params, request }) => {
  const body = await bodyOf(request, startRunRequest);
  const run = await answerMessage(answering, params.sessionId, body);
  return Response.json({ run: runWire(run) }, { status: 201 });
});

import { messagesOf } from "@/lib/chat/sessions/transcript";
import { changeCompactionRequest } from "@/lib/chat/wire/compaction";
import { bodyOf, route } from "@/lib/server/route";

interface Params {
  sessionId: string;
  compactionId: string;
}

export const PATCH = route<Params>(async ({ owner, params, request }) => {
  const { summary } = await bodyOf(request, changeCompactionRequest);
  const messages = await messagesOf(owner, params.sessionId);
  await messages.updateCompaction(params.compactionId, summary);
  return Response.json({ ok: true });
});

export const DELETE = route<Params>(async ({ owner, params }) => {
  const messages = await messagesOf(owner, params.sessionId);
  await messages.removeCompaction(params.compactionId);
  return Response.json({ ok: true });
});

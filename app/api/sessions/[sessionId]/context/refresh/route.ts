import { contextView } from "@/lib/chat/memory/context-view";
import { openSession } from "@/lib/chat/sessions/open-session";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, answering, params }) => {
  const { sessionId } = params;
  const info = await requireSession(owner, sessionId);
  await (await openSession(owner, sessionId)).refreshSystemPrompt();
  const resolved = await answering.chooseModel(info.model);
  return Response.json(await contextView(owner, { sessionId, resolved }));
});

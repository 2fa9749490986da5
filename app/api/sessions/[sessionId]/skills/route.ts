import { ChatError } from "@/lib/chat/chat-error";
import { contextView } from "@/lib/chat/memory/context-view";
import { loadSkill } from "@/lib/chat/memory/skills";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { skillEventRequest } from "@/lib/chat/wire/memory";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, answering, params, request }) => {
  const { sessionId } = params;
  const { label, key, action } = await bodyOf(request, skillEventRequest);
  const info = await requireSession(owner, sessionId);
  if (action === "load" && (await loadSkill(owner, sessionId, { label, key })) === null) {
    throw new ChatError("entry-not-found", `There is no skill “${key}”.`);
  }
  await owner.store.messages(sessionId).recordSkillEvent({ label, key }, action);
  const resolved = await answering.chooseModel(info.model);
  return Response.json(await contextView(owner, { sessionId, resolved }));
});

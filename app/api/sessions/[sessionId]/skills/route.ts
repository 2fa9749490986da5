import { endpoint } from "@/app/api/endpoint";
import { contextView } from "@/lib/chat/answering/context-view";
import { ChatError } from "@/lib/chat/core/chat-error";
import { loadSkill } from "@/lib/chat/memory/skills";
import { requireSession } from "@/lib/chat/sessions/transcript";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/skills",
  async ({ owner, answering, params: { sessionId }, body: { label, key, action } }) => {
    const info = await requireSession(owner, sessionId);
    if (action === "load" && (await loadSkill(owner, sessionId, { label, key })) === null) {
      throw new ChatError("entry-not-found", `There is no skill “${key}”.`);
    }
    await owner.store.messages(sessionId).recordSkillEvent({ label, key }, action);
    const resolved = await answering.chooseModel(info.model);
    return contextView(owner, { sessionId, resolved });
  },
);

import type { Sql } from "grove-session/postgres";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { ResolvedModel } from "@/lib/llm";
import { type ChatProcess, Conversation, chatProcess, newOwner } from "./chat-fixture";

/** Alternating questions and answers (`q1`, `a1`, …), long enough to be worth summarizing. */
export async function longConversation(
  sql: Sql,
  {
    pairs,
    resolved,
    owner = newOwner(sql),
    process = chatProcess(),
  }: { pairs: number; resolved: ResolvedModel; owner?: OwnerData; process?: ChatProcess },
) {
  const chat = new Conversation(owner, process, resolved);
  await chat.owner.store.sessions.create("Long", { id: chat.sessionId });
  const messages = chat.owner.store.messages(chat.sessionId);
  for (let n = 1; n <= pairs; n++) {
    const part = (text: string) => [{ type: "text", text: `${text} ${n}. ${"word ".repeat(60)}` }];
    await messages.appendMessage({ id: `q${n}`, role: "user", parts: part("Question") });
    await messages.appendMessage({ id: `a${n}`, role: "assistant", parts: part("Answer") });
  }
  const request = { sessionId: chat.sessionId, resolved };
  const shown = async () => (await messages.getHistory()).map(({ id }) => id);
  return { chat, messages, request, shown, owner: chat.owner };
}

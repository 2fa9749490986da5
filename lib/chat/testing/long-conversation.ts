import type { Sql } from "postgres";
import type { ResolvedModel } from "@/lib/llm";
import { Conversation, chatProcess, newOwner } from "./chat-fixture";

/** Alternating questions and answers (`q1`, `a1`, …), long enough to be worth summarizing. */
export async function longConversation(
  sql: Sql,
  { pairs, resolved }: { pairs: number; resolved: ResolvedModel },
) {
  const chat = new Conversation(newOwner(sql), chatProcess(), resolved);
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

import type { SessionMessage } from "grove-session";
import type { Sql } from "grove-session/postgres";
import { PostgresSessionStore } from "grove-session/postgres";
import { randomNumbers } from "@/lib/text/testing/random";

const syllables = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti"];
const vocabularySize = 5_000;

export function wordOf(rank: number): string {
  let rest = rank + syllables.length;
  let word = "";
  while (rest > 0) {
    word += syllables[rest % syllables.length] ?? "";
    rest = Math.floor(rest / syllables.length);
  }
  return word;
}

export function sampleText(random: () => number, bytes: number): string {
  let text = "";
  while (text.length < bytes) {
    text += `${wordOf(Math.floor(Math.exp(random() * Math.log(vocabularySize))))} `;
  }
  return text.trimEnd();
}

export const benchOwner = "bench";
const textBytes = 540;

export function sampleMessage(random: () => number, n: number): SessionMessage {
  return {
    id: crypto.randomUUID(),
    role: n % 2 === 0 ? "user" : "assistant",
    parts: [{ type: "text", text: sampleText(random, textBytes) }],
  };
}

/** Every n-th message has an alternative, and the conversation continues from the newer one; `null` makes it linear. */
export async function seedSession(
  sql: Sql,
  {
    messages,
    regenerateEvery,
    signal,
  }: { messages: number; regenerateEvery: number | null; signal: AbortSignal },
): Promise<string> {
  const store = new PostgresSessionStore(sql, benchOwner);
  const { id } = await store.sessions.create(`${messages} messages`);
  const session = store.messages(id);
  const random = randomNumbers(messages);
  let parentId: string | null = null;
  for (let n = 0; n < messages; n++) {
    signal.throwIfAborted();
    const message = sampleMessage(random, n);
    await session.appendMessage(message, parentId);
    if (regenerateEvery !== null && n % regenerateEvery === regenerateEvery - 1) {
      const alternative = sampleMessage(random, n);
      await session.appendMessage(alternative, parentId);
      parentId = alternative.id;
    } else parentId = message.id;
  }
  return id;
}

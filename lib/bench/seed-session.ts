import type { Sql } from "postgres";
import { PostgresSessionStore } from "@/lib/postgres";
import type { SessionMessage } from "@/lib/session";
import { randomNumbers, sampleText } from "./sample-text";

export const benchOwner = "bench";
/** About 600 B as stored: the row of the floor. */
const textBytes = 540;

/** A message of the usual size; even ones are questions. */
export function sampleMessage(random: () => number, n: number): SessionMessage {
  return {
    id: crypto.randomUUID(),
    role: n % 2 === 0 ? "user" : "assistant",
    parts: [{ type: "text", text: sampleText(random, textBytes) }],
  };
}

/**
 * A session of so many messages; `null` for `regenerateEvery` makes one straight line. Otherwise every so many messages
 * have an alternative, and the conversation goes on from the newer one, as it does after "regenerate".
 */
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

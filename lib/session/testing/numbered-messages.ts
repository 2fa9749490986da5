import type { SessionMessage } from "../message";
import type { Session } from "../session";
import { assistant, user } from "./builders";

/** Messages `m1` from the person, `m2` from the assistant and so on, each of about 80 characters. */
export function numbered(from: number, to: number): SessionMessage[] {
  return Array.from({ length: to - from + 1 }, (_, n) => {
    const make = (from + n) % 2 === 1 ? user : assistant;
    return make(`m${from + n}`, `${from + n} ${"x".repeat(80)}`);
  });
}

export async function appendAll(
  session: Session,
  messages: readonly SessionMessage[],
): Promise<void> {
  for (const message of messages) await session.appendMessage(message);
}

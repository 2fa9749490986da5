import type { GroveMessage } from "@/lib/chat/wire/messages";

const most = 20;
const begun = new Map<string, GroveMessage>();

/** An answer that goes on shows what was kept until its stream brings that, too. */
export function beginsWith(answerId: string, kept: GroveMessage): void {
  begun.set(answerId, { ...kept, id: answerId });
  const [oldest] = begun.keys();
  if (begun.size > most && oldest !== undefined) begun.delete(oldest);
}

/** `null` for an answer that begins with nothing. */
export function beginningOf(answerId: string): GroveMessage | null {
  return begun.get(answerId) ?? null;
}

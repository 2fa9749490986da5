import type { SessionMessage } from "../message";
import type { Compaction, SessionProvider } from "../session-provider";

/** A linear transcript: the twelve documented methods, synchronous and without dates. */
export class DocumentedCore implements SessionProvider {
  readonly limits: unknown[] = [];
  readonly #compactions: Compaction[] = [];
  #messages: readonly SessionMessage[] = [];

  getMessage(id: string): SessionMessage | null {
    return this.#messages.find((message) => message.id === id) ?? null;
  }

  getHistory(): SessionMessage[] {
    return this.#compactions.reduceRight<SessionMessage[]>(shownAs, [...this.#messages]);
  }

  getLatestLeaf(): SessionMessage | null {
    return this.#messages.at(-1) ?? null;
  }

  getBranches(messageId: string): SessionMessage[] {
    const at = this.#messages.findIndex(({ id }) => id === messageId);
    return at === -1 ? [] : this.#messages.slice(at + 1, at + 2);
  }

  getPathLength(): number {
    return this.#messages.length;
  }

  appendMessage(message: SessionMessage): void {
    this.#messages = [...this.#messages, message];
  }

  updateMessage(message: SessionMessage): void {
    this.#messages = this.#messages.map((each) => (each.id === message.id ? message : each));
  }

  deleteMessages(messageIds: readonly string[]): void {
    this.#messages = this.#messages.filter(({ id }) => !messageIds.includes(id));
  }

  clearMessages(): void {
    this.#messages = [];
    this.#compactions.splice(0);
  }

  addCompaction(summary: string, fromMessageId: string, toMessageId: string): Compaction {
    const id = String(this.#compactions.length + 1);
    const compaction = { id, summary, fromMessageId, toMessageId, createdAt: new Date() };
    this.#compactions.push(compaction);
    return compaction;
  }

  getCompactions(): Compaction[] {
    return [...this.#compactions];
  }

  searchMessages(_query: string, limit: unknown): [] {
    this.limits.push(limit);
    return [];
  }
}

/** Newer summaries hide first; a summary with an end that is not shown hides nothing. */
function shownAs(
  history: SessionMessage[],
  { id, summary, fromMessageId, toMessageId }: Compaction,
): SessionMessage[] {
  const from = history.findIndex((message) => message.id === fromMessageId);
  const to = history.findIndex((message) => message.id === toMessageId);
  if (from === -1 || to < from) return history;
  const text = { type: "text", text: summary };
  return history.toSpliced(from, to - from + 1, {
    id: `compaction_${id}`,
    role: "assistant",
    parts: [text],
  });
}

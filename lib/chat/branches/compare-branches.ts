import type { WindowEntry } from "grove-session/ports";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { entryOf, entryWire, messagesOf } from "@/lib/chat/sessions/transcript";
import type { BranchWire, CompareWire } from "@/lib/chat/wire/branches";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { branchMemory, type MessageWrite } from "./branch-memory";
import { walkApart } from "./parting";

const usualEntries = 200;

export async function compareBranches(
  owner: OwnerData,
  sessionId: string,
  {
    left,
    right,
    limit = usualEntries,
  }: { left: string; right: string; limit?: number | undefined },
): Promise<CompareWire> {
  const messages = await messagesOf(owner, sessionId);
  const [leftSide, rightSide] = [new Side(left, limit), new Side(right, limit)];
  const shared = await walkApart(messages, left, right, {
    onLeft: (entry) => leftSide.add(entry),
    onRight: (entry) => rightSide.add(entry),
  });
  const [ancestor, leftBranch, rightBranch] = await Promise.all([
    shared && entryOf(owner, sessionId, shared.message.id),
    leftSide.wire(owner, sessionId),
    rightSide.wire(owner, sessionId),
  ]);
  return { ancestor, left: leftBranch, right: rightBranch };
}

class Side {
  readonly #sums = { messageCount: 0, inputTokens: 0, outputTokens: 0 };
  readonly #models = new Set<string>();
  readonly #positions: number[] = [];
  readonly #writes: MessageWrite[] = [];
  #cost: number | null = null;

  constructor(
    readonly leafId: string,
    readonly limit: number,
  ) {}

  add(entry: WindowEntry): void {
    const { id: messageId, metadata } = entryWire(entry).message;
    this.#positions.push(entry.position);
    if (this.#positions.length > 2 * this.limit + 1) this.#positions.splice(0, this.limit);
    this.#sums.messageCount++;
    if (!metadata) return;
    this.#sums.inputTokens += metadata.inputTokens ?? 0;
    this.#sums.outputTokens += metadata.outputTokens ?? 0;
    if (metadata.cost != null) this.#cost = (this.#cost ?? 0) + metadata.cost;
    if (metadata.model != null) {
      this.#models.delete(metadata.model);
      this.#models.add(metadata.model);
    }
    const writes = (metadata.writes ?? []).map((write) => ({ ...write, messageId }));
    this.#writes.push(...writes.reverse());
  }

  async wire(owner: OwnerData, sessionId: string): Promise<BranchWire> {
    return {
      leafId: this.leafId,
      entries: await this.#shown(owner, sessionId),
      ...this.#sums,
      cost: this.#cost,
      models: [...this.#models].reverse(),
      memory: await branchMemory(owner, sessionId, this.#writes.toReversed()),
    };
  }

  async #shown({ store }: OwnerData, sessionId: string): Promise<EntryWire[]> {
    const shown = Math.min(this.#positions.length, this.limit);
    if (shown === 0) return [];
    const { entries } = await store.messages(sessionId).getWindow({
      ...{ leafId: this.leafId, limit: shown, overlays: false },
      beforePosition: this.#positions.at(-shown - 1),
    });
    return entries.map(entryWire);
  }
}

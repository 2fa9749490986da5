import type { UIMessageChunk } from "ai";

/** Two neighbouring deltas of one text or call as one; `null` when they are not. */
export function joinedDelta(first: UIMessageChunk, second: UIMessageChunk): UIMessageChunk | null {
  // Signatures come with any delta, and joining would keep only the last.
  if ("providerMetadata" in first && first.providerMetadata !== undefined) return null;
  if (first.type === "tool-input-delta") {
    if (second.type !== first.type || second.toolCallId !== first.toolCallId) return null;
    return { ...second, inputTextDelta: first.inputTextDelta + second.inputTextDelta };
  }
  if (first.type !== "text-delta" && first.type !== "reasoning-delta") return null;
  if (second.type !== first.type || second.id !== first.id) return null;
  return { ...second, delta: first.delta + second.delta };
}

/**
 * Passes chunks on in the next turn of the event loop, with the deltas of one turn joined: a million chunks of one
 * character cost pauses of 300 ms for collecting garbage.
 */
export class DeltaJoiner {
  readonly #emit: (chunk: UIMessageChunk) => void;
  #last: UIMessageChunk | null = null;
  #scheduled: NodeJS.Immediate | null = null;

  constructor(emit: (chunk: UIMessageChunk) => void) {
    this.#emit = emit;
  }

  add(chunk: UIMessageChunk): void {
    const joined = this.#last && joinedDelta(this.#last, chunk);
    if (this.#last && !joined) this.#emit(this.#last);
    this.#last = joined ?? chunk;
    this.#scheduled ??= setImmediate(() => this.flush());
  }

  flush(): void {
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = null;
    const last = this.#last;
    this.#last = null;
    if (last) this.#emit(last);
  }
}

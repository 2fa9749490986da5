import type { UIMessageChunk } from "ai";

/** Times of the reasoning parts of an answer, by its chunks. */
export class ThoughtTimes {
  readonly #now: () => number;
  readonly #parts: { readonly id: string; readonly from: number; to: number | null }[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(chunk: UIMessageChunk): void {
    if (chunk.type === "reasoning-start")
      this.#parts.push({ id: chunk.id, from: this.#now(), to: null });
    if (chunk.type !== "reasoning-end") return;
    const open = this.#parts.findLast(({ id, to }) => id === chunk.id && to === null);
    if (open) open.to = this.#now();
  }

  /** In milliseconds, up to now for one that has not ended. */
  all(): number[] {
    return this.#parts.map(({ from, to }) => Math.round((to ?? this.#now()) - from));
  }
}

import type { UIMessageChunk } from "ai";
import { meantPart } from "@/lib/chat/wire/meant-parts";

interface Written {
  readonly id: string;
  readonly kind: string;
  readonly from: number;
  to: number | null;
  isThought: boolean;
}

/** Times of the reasoning parts of an answer, by its chunks. */
export class ThoughtTimes {
  readonly #now: () => number;
  readonly #parts: Written[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(chunk: UIMessageChunk): void {
    const [kind, event] = chunk.type.split("-");
    if ((kind !== "reasoning" && kind !== "text") || !("id" in chunk)) return;
    const id = String(chunk.id);
    if (event === "start")
      this.#parts.push({ id, kind, from: this.#now(), to: null, isThought: kind === "reasoning" });
    if (event !== "end") return;
    const open = this.#parts.findLast(
      (part) => part.id === id && part.kind === kind && part.to === null,
    );
    if (!open) return;
    open.to = this.#now();
    const { providerMetadata } = chunk as { providerMetadata?: unknown };
    open.isThought = meantPart({ type: kind, providerMetadata }).type === "reasoning";
  }

  /** In milliseconds, up to now for one that has not ended. */
  all(): number[] {
    const thoughts = this.#parts.filter(({ isThought }) => isThought);
    return thoughts.map(({ from, to }) => Math.round((to ?? this.#now()) - from));
  }
}

import type { UIMessageChunk } from "ai";
import { meantParts } from "@/lib/chat/wire/meant-parts";

interface Written {
  readonly id: string;
  readonly kind: string;
  readonly from: number;
  to: number | null;
  isThought: boolean;
}

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
    const { providerMetadata } = chunk as { providerMetadata?: unknown };
    if (event === "start" || (event === "delta" && providerMetadata === undefined)) return;
    const open = this.#parts.findLast(
      (part) => part.id === id && part.kind === kind && part.to === null,
    );
    if (!open) return;
    const [meant, held] = meantParts({ type: kind, providerMetadata });
    if (held) open.isThought = true;
    else if (event === "delta" || (open.isThought && kind === "text")) return;
    else open.isThought = meant?.type === "reasoning";
    open.to = this.#now();
  }

  all(): number[] {
    const thoughts = this.#parts.filter(({ isThought }) => isThought);
    return thoughts.map(({ from, to }) => Math.round((to ?? this.#now()) - from));
  }
}

import type { LanguageModelV4Middleware, LanguageModelV4Usage } from "@ai-sdk/provider";

import type { ReachedLimit } from "./describe-model-error";
import type { StreamPart } from "./stream-parts";
import { type Output, type Transform, transformStream } from "./transform-stream";

export interface AnswerLimits {
  readonly maxCharacters: number;
  readonly maxToolCalls: number;
}

/** An export holds at most 25,000 parts per message. */
const charactersPerPart = 200;

export class AnswerLimiter {
  readonly middleware: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    wrapStream: async ({ doStream }) => {
      const result = await doStream();
      return { ...result, stream: transformStream(result.stream, this.#watch()) };
    },
  };
  readonly #limits: AnswerLimits;
  #characters = 0;
  #toolCalls = 0;
  #reached: ReachedLimit | null = null;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  get reached(): ReachedLimit | null {
    return this.#reached ?? (this.#toolCalls >= this.#limits.maxToolCalls ? "maxToolCalls" : null);
  }

  #watch(): Transform<StreamPart> {
    const open = new Map<string, StreamPart>();
    return {
      transform: (part, output) => {
        const fitting = this.#fitting(part);
        if (fitting) {
          trackOpen(open, fitting);
          output.enqueue(fitting);
        }
        if (this.#reached) end(output, { open: open.values(), reached: this.#reached });
      },
    };
  }

  #fitting(part: StreamPart): StreamPart | null {
    const isCall = part.type === "tool-call" || part.type === "tool-input-start";
    if (isCall && this.#toolCalls === this.#limits.maxToolCalls) {
      this.#reached = "maxToolCalls";
      return null;
    }
    if (part.type === "tool-call") this.#toolCalls++;
    if (
      part.type === "text-delta" ||
      part.type === "reasoning-delta" ||
      part.type === "tool-input-delta"
    ) {
      const delta = this.#take(part.delta);
      return delta === "" && part.delta !== "" ? null : { ...part, delta };
    }
    if (
      part.type === "text-start" ||
      part.type === "reasoning-start" ||
      part.type === "tool-input-start"
    )
      this.#count(charactersPerPart);
    return part;
  }

  #take(delta: string): string {
    const left = this.#limits.maxCharacters - this.#characters;
    this.#count(delta.length);
    if (delta.length <= left) return delta;
    return delta.slice(0, left).replace(/[\uD800-\uDBFF]$/, "");
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.#limits.maxCharacters) this.#reached = "maxCharacters";
  }
}

function trackOpen(open: Map<string, StreamPart>, part: StreamPart): void {
  if (part.type === "text-start") open.set(part.id, { type: "text-end", id: part.id });
  if (part.type === "reasoning-start") open.set(part.id, { type: "reasoning-end", id: part.id });
  if (part.type === "text-end" || part.type === "reasoning-end") open.delete(part.id);
}

function end(
  output: Output<StreamPart>,
  { open, reached }: { open: Iterable<StreamPart>; reached: ReachedLimit },
): void {
  for (const part of open) output.enqueue(part);
  const unified = reached === "maxToolCalls" ? "tool-calls" : "length";
  output.enqueue({ type: "finish", finishReason: { unified, raw: reached }, usage: unknownUsage });
  output.terminate();
}

const unknownUsage: LanguageModelV4Usage = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

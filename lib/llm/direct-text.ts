import { setImmediate as nextTurn } from "node:timers/promises";
import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import type { TextStreamPart, ToolSet, UIMessageChunk } from "ai";
import type { StreamPart, TextDelta } from "./stream-parts";
import { sourceOf, streamOf } from "./transform-stream";

type LoopPart = TextStreamPart<ToolSet>;
type Show = (chunk: UIMessageChunk) => void;

const longestMs = 10;

/** The SDK's loop of steps costs most of a delta. */
export class DirectText {
  readonly #show: Show;
  #step: Step | null = null;

  constructor(show: Show) {
    this.#show = show;
  }

  readonly middleware: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    wrapStream: async ({ doStream }) => {
      const result = await doStream();
      this.#step = new Step(this.#show);
      return { ...result, stream: this.#step.withoutShown(result.stream) };
    },
  };

  unshown(part: LoopPart): LoopPart | null {
    return this.#step ? this.#step.unshown(part) : part;
  }

  afterShowing(part: LoopPart): void {
    this.#step?.afterShowing(part);
  }

  end(): void {
    this.#step?.end();
  }
}

interface ShownText {
  readonly type: TextDelta["type"];
  readonly id: string;
  shownId: string | null;
}

class Step {
  readonly #show: Show;
  #open: ShownText | null = null;
  readonly #starting: ShownText[] = [];
  #handedOver = 0;
  #onTheWay = 0;
  #given = 0;
  #shown: string[] = [];
  #gathered: string[] = [];
  #gatheredSince = 0;
  #isOver = false;

  constructor(show: Show) {
    this.#show = show;
  }

  withoutShown(stream: ReadableStream<StreamPart>): ReadableStream<StreamPart> {
    const source = sourceOf(stream);
    let following: ReadableStreamReadResult<StreamPart> | null = null;
    const read = async (): ReturnType<typeof source.read> => {
      for (;;) {
        const next = following ?? (await source.read());
        following = null;
        if (!next.done && this.#isDirect(next.value)) {
          this.#gather(next.value.delta);
          if (performance.now() - this.#gatheredSince > longestMs) await nextTurn();
          continue;
        }
        const text = this.#takeShown();
        if (text === null) {
          if (!next.done) this.#pass(next.value);
          return next;
        }
        following = next;
        return { done: false, value: text };
      }
    };
    return streamOf({ read, cancel: (reason) => source.cancel(reason) });
  }

  unshown(part: LoopPart): LoopPart | null {
    if (part.type !== "text-delta" && part.type !== "reasoning-delta") return part;
    const { length } = part.text;
    const shown = Math.min(length, this.#handedOver);
    this.#handedOver -= shown;
    this.#given = length - shown;
    if (shown === 0) return part;
    const isLeft = shown < length || part.providerMetadata !== undefined;
    return isLeft ? { ...part, text: part.text.slice(shown) } : null;
  }

  afterShowing(part: LoopPart): void {
    this.#onTheWay -= this.#given;
    this.#given = 0;
    if (part.type !== "text-start" && part.type !== "reasoning-start") return;
    const started = this.#starting.shift();
    if (started) started.shownId = part.id;
  }

  end(): void {
    this.#flush();
    this.#isOver = true;
  }

  #isDirect(part: StreamPart): part is TextDelta {
    if (this.#open === null || part.type !== this.#open.type || part.id !== this.#open.id)
      return false;
    // Signatures come with any delta.
    if (part.providerMetadata !== undefined) return false;
    return this.#open.shownId !== null && this.#onTheWay === 0;
  }

  #gather(delta: string): void {
    if (this.#gathered.length === 0) {
      this.#gatheredSince = performance.now();
      setImmediate(() => this.#flush());
    }
    this.#gathered.push(delta);
  }

  #flush(): void {
    if (this.#gathered.length === 0) return;
    const delta = this.#gathered.join("");
    this.#gathered = [];
    this.#shown.push(delta);
    const { type, shownId } = this.#open ?? {};
    if (type && shownId && !this.#isOver) this.#show({ type, id: shownId, delta });
  }

  #takeShown(): TextDelta | null {
    this.#flush();
    if (!this.#open || this.#shown.length === 0) return null;
    const { type, id } = this.#open;
    const delta = this.#shown.join("");
    this.#shown = [];
    this.#handedOver += delta.length;
    return { type, id, delta };
  }

  #pass(part: StreamPart): void {
    if (part.type === "text-start" || part.type === "reasoning-start") {
      const type = part.type === "text-start" ? "text-delta" : "reasoning-delta";
      this.#open = { type, id: part.id, shownId: null };
      this.#starting.push(this.#open);
      return;
    }
    const isDelta = part.type === "text-delta" || part.type === "reasoning-delta";
    if (isDelta) this.#onTheWay += part.delta.length;
    if (!isDelta || part.type !== this.#open?.type || part.id !== this.#open.id) this.#open = null;
  }
}

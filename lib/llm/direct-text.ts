import { setImmediate as nextTurn } from "node:timers/promises";
import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { TextStreamPart, ToolSet, UIMessageChunk } from "ai";
import { sourceOf, streamOf } from "./transform-stream";

type Part = LanguageModelV4StreamPart;
type Delta = Extract<Part, { type: "text-delta" | "reasoning-delta" }>;
type ShownPart = TextStreamPart<ToolSet>;
type Show = (chunk: UIMessageChunk) => void;

const longestMs = 10;

/** Shows text before the SDK's loop of steps, whose streams cost most of a delta, and gives the loop each text as one. */
export class DirectText {
  readonly #show: Show;
  #step: Step | null = null;

  /** Deltas of one turn of the event loop are one. */
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

  /** `null` when the part was shown. */
  unshown(part: ShownPart): ShownPart | null {
    return this.#step ? this.#step.unshown(part) : part;
  }

  /** Called once a part is shown. */
  afterShowing(part: ShownPart): void {
    this.#step?.afterShowing(part);
  }

  /** Shows nothing from now on. */
  end(): void {
    this.#step?.end();
  }
}

interface OpenText {
  readonly type: Delta["type"];
  readonly id: string;
  /** In the loop; `null` until its start is shown. */
  shownId: string | null;
}

/** One call of the model. */
class Step {
  readonly #show: Show;
  /** `null` once another part has followed its start. */
  #open: OpenText | null = null;
  /** In the loop. */
  readonly #starting: OpenText[] = [];
  /** Characters in the loop, in this order: shown already, and not. */
  #handedOver = 0;
  #onTheWay = 0;
  /** Of these, in the part that is being shown. */
  #given = 0;
  /** Of the open text. */
  #shown: string[] = [];
  /** In this turn. */
  #gathered: string[] = [];
  #gatheredSince = 0;
  #isOver = false;

  constructor(show: Show) {
    this.#show = show;
  }

  withoutShown(stream: ReadableStream<Part>): ReadableStream<Part> {
    const source = sourceOf(stream);
    let following: ReadableStreamReadResult<Part> | null = null;
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

  unshown(part: ShownPart): ShownPart | null {
    if (part.type !== "text-delta" && part.type !== "reasoning-delta") return part;
    const { length } = part.text;
    const shown = Math.min(length, this.#handedOver);
    this.#handedOver -= shown;
    this.#given = length - shown;
    if (shown === 0) return part;
    const isLeft = shown < length || part.providerMetadata !== undefined;
    return isLeft ? { ...part, text: part.text.slice(shown) } : null;
  }

  afterShowing(part: ShownPart): void {
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

  #isDirect(part: Part): part is Delta {
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

  #takeShown(): Delta | null {
    this.#flush();
    if (!this.#open || this.#shown.length === 0) return null;
    const { type, id } = this.#open;
    const delta = this.#shown.join("");
    this.#shown = [];
    this.#handedOver += delta.length;
    return { type, id, delta };
  }

  #pass(part: Part): void {
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

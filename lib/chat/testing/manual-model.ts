import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";

type Unified = LanguageModelV4FinishReason["unified"];

/** A model whose answers a test controls, call by call. */
export class ManualModel {
  readonly calls: LanguageModelV4CallOptions[] = [];
  readonly model = new MockLanguageModelV4({
    doStream: async (call) => {
      this.calls.push(call);
      return { stream: this.#turn(this.calls.length - 1).open(call.abortSignal) };
    },
  });
  readonly #turns: ManualTurn[] = [];

  /** The answer to call number `index`, from 0; it may be given before the call. */
  turn(index = 0): ManualTurn {
    return this.#turn(index);
  }

  #turn(index: number): ManualTurn {
    const turn = this.#turns[index] ?? new ManualTurn();
    this.#turns[index] = turn;
    return turn;
  }
}

export class ManualTurn {
  readonly #opened = Promise.withResolvers<void>();
  readonly #early: LanguageModelV4StreamPart[] = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "text" },
  ];
  #end: "open" | "closed" | { readonly error: unknown } = "open";
  #controller: ReadableStreamDefaultController<LanguageModelV4StreamPart> | null = null;

  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  open(signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
    return new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
        for (const part of this.#early) controller.enqueue(part);
        if (this.#end === "closed") controller.close();
        else if (this.#end !== "open") controller.error(this.#end.error);
        signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true });
        this.#opened.resolve();
      },
    });
  }

  say(text: string): this {
    return this.#send({ type: "text-delta", id: "text", delta: text });
  }

  /** Sends a delta of a text that never began. */
  sayAstray(text: string): this {
    return this.#send({ type: "text-delta", id: "astray", delta: text });
  }

  call(toolName: string, input: unknown): this {
    return this.#send({
      type: "tool-call",
      toolCallId: crypto.randomUUID(),
      toolName,
      input: JSON.stringify(input),
    });
  }

  /** The model makes a file, such as a picture. */
  make(mediaType: string, data: Uint8Array): this {
    return this.#send({ type: "file", mediaType, data: { type: "data", data } });
  }

  /** The provider describes its message, as Anthropic does. */
  note(): this {
    return this.#send({ type: "custom", kind: "anthropic.message_start" });
  }

  /** The provider reports an error within the stream. */
  report(error: unknown): this {
    return this.#send({ type: "error", error });
  }

  /** Ends the answer with the provider's token counts. */
  finish(unified: Unified = "stop", { inputTokens = 10, outputTokens = 5 } = {}): void {
    this.#send({ type: "text-end", id: "text" });
    this.#send({
      type: "finish",
      finishReason: { unified, raw: unified },
      usage: {
        inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
      },
    });
    this.#end = "closed";
    this.#controller?.close();
  }

  /** The stream ends without a finish chunk. */
  hangUp(): void {
    this.#end = "closed";
    this.#controller?.close();
  }

  break(error: unknown): void {
    this.#end = { error };
    this.#controller?.error(error);
  }

  #send(part: LanguageModelV4StreamPart): this {
    if (this.#controller) this.#controller.enqueue(part);
    else this.#early.push(part);
    return this;
  }
}

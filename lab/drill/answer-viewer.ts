import { setTimeout as delay } from "node:timers/promises";
import { chunksOf, RefusedStreamError } from "@/lib/commands/testing/grove-process";

const word = (n: number) => `w${n} ö🙂 `;

/** An answer in which every lost or doubled word shows. */
export function numberedAnswer({ words, pauseMs }: { words: number; pauseMs: number }) {
  return {
    pace: { words, pauseMs, word },
    writingMs: words * pauseMs,
    text: Array.from({ length: words }, (_, n) => word(n)).join(""),
  };
}

/** Numbered words that `stored` lacks of `seen`. */
export function missingWords(seen: string, stored: string): number {
  return Math.max(0, (seen.split(" ").length - stored.split(" ").length) / 2);
}

const reopensAfterMs = 250;
const reopensWithinMs = 60_000;

export interface ViewedRun {
  readonly address: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly wholeText: string;
}

/** Reads an answer until its stream ends, or its server does. As a page does, asks again for a stream that is refused. */
export class AnswerViewer {
  readonly ended: Promise<string>;
  readonly #wholeText: string;
  readonly #begun = Promise.withResolvers<void>();
  readonly #whole = Promise.withResolvers<void>();
  #text = "";
  #isOver = false;

  constructor({ address, sessionId, runId, wholeText }: ViewedRun) {
    this.#wholeText = wholeText;
    this.ended = this.#read(`${address}/api/sessions/${sessionId}/runs/${runId}/stream`);
  }

  get text(): string {
    return this.#text;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves even when the answer ended without a word. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  get whole(): Promise<void> {
    return this.#whole.promise;
  }

  async #read(url: string): Promise<string> {
    const giveUpAt = performance.now() + reopensWithinMs;
    while ((await this.#isRefused(url)) && performance.now() < giveUpAt)
      await delay(reopensAfterMs);
    this.#isOver = true;
    this.#begun.resolve();
    this.#whole.resolve();
    return this.#text;
  }

  async #isRefused(url: string): Promise<boolean> {
    try {
      for await (const { delta = "" } of chunksOf(url)) {
        this.#text += delta;
        if (this.#text !== "") this.#begun.resolve();
        if (this.#text === this.#wholeText) this.#whole.resolve();
      }
      return false;
    } catch (error) {
      // Anything else is a killed server.
      return error instanceof RefusedStreamError && error.mayPass;
    }
  }
}

import type { FinishReason, LanguageModel } from "ai";
import { type TextCall, writeText } from "./text-call";

export type SummarizePrompt = (
  prompt: string,
  options?: { signal?: AbortSignal },
) => Promise<string>;

/**
 * @param options.onStart called for each piece of a long conversation. @param options.onCall awaited after each call,
 * even a failed one. @returns a function that throws `SummaryError`, or the signal's reason.
 */
export function createSummarizer(options: {
  model: LanguageModel;
  maxOutputTokens?: number | undefined;
  signal?: AbortSignal | undefined;
  onStart?: (() => void) | undefined;
  onDelta?: ((delta: string) => void) | undefined;
  onCall?: ((call: TextCall) => Promise<void>) | undefined;
}): SummarizePrompt {
  return async (prompt, call = {}) => {
    const signals = [options.signal, call.signal].filter((signal) => signal !== undefined);
    const signal = AbortSignal.any(signals);
    options.onStart?.();
    const written = await writeText({ ...options, purpose: "summary", prompt, signal });
    await options.onCall?.({ prompt, text: written.text, usage: written.usage });
    signal.throwIfAborted();
    const problem = problemOf(written.finishReason, written.text);
    if (problem) throw new SummaryError(problem, { cause: written.error });
    return written.text.trim();
  };
}

function problemOf(reason: FinishReason, text: string): SummaryErrorCode | null {
  if (reason === "length") return "truncated";
  if (reason === "content-filter") return "refused";
  if (reason !== "stop") return "failed";
  return text.trim() === "" ? "blank" : null;
}

export type SummaryErrorCode = "failed" | "truncated" | "blank" | "refused";

const messages: Readonly<Record<SummaryErrorCode, string>> = {
  failed: "The model failed while it was writing the summary.",
  truncated: "The summary was cut off before its end, so it was not used.",
  blank: "The model answered with an empty summary.",
  refused: "The provider's content filter stopped the summary.",
};

export class SummaryError extends Error {
  override readonly name = "SummaryError";
  readonly code: SummaryErrorCode;

  constructor(code: SummaryErrorCode, options?: { cause?: unknown }) {
    super(messages[code], options);
    this.code = code;
  }
}

import { type FinishReason, type LanguageModel, type LanguageModelUsage, streamText } from "ai";
import { groveOptions } from "./grove-options";

export type Summarize = (prompt: string, options?: { signal?: AbortSignal }) => Promise<string>;

/** `usage` is the provider's report. */
export interface TextCall {
  readonly prompt: string;
  readonly text: string;
  readonly usage: LanguageModelUsage | undefined;
}

/**
 * Accepts complete summaries only.
 *
 * @param options.onStart called at each piece of a long conversation, which restarts the summary.
 * @param options.onCall awaited after each call, successful or not.
 * @returns a function that throws `SummaryError`, or the signal's reason.
 */
export function createSummarizer(options: {
  model: LanguageModel;
  maxOutputTokens?: number | undefined;
  signal?: AbortSignal | undefined;
  onStart?: (() => void) | undefined;
  onDelta?: ((delta: string) => void) | undefined;
  onCall?: ((call: TextCall) => Promise<void>) | undefined;
}): Summarize {
  return async (prompt, call = {}) => {
    const signals = [options.signal, call.signal].filter((signal) => signal !== undefined);
    const signal = AbortSignal.any(signals);
    options.onStart?.();
    const written = await write(prompt, { ...options, signal });
    await options.onCall?.({ prompt, text: written.text, usage: written.usage });
    signal.throwIfAborted();
    const problem = problemOf(written.finishReason, written.text);
    if (problem) throw new SummaryError(problem, { cause: written.error });
    return written.text.trim();
  };
}

type Written = {
  text: string;
  finishReason: FinishReason;
  usage?: LanguageModelUsage;
  error?: unknown;
};

async function write(
  prompt: string,
  options: {
    model: LanguageModel;
    maxOutputTokens?: number | undefined;
    signal: AbortSignal;
    onDelta?: ((delta: string) => void) | undefined;
  },
): Promise<Written> {
  const written: Written = { text: "", finishReason: "error" };
  const { stream } = streamText({
    model: options.model,
    prompt,
    ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    abortSignal: options.signal,
    providerOptions: groveOptions({ purpose: "summary" }),
    // Errors arrive as parts; the default handler would print them.
    onError: () => {},
  });
  try {
    for await (const part of stream) {
      if (part.type === "error") written.error = part.error;
      if (part.type === "finish") {
        written.finishReason = part.finishReason;
        written.usage = part.totalUsage;
      }
      if (part.type !== "text-delta") continue;
      written.text += part.text;
      options.onDelta?.(part.text);
    }
  } catch (error) {
    written.error = error;
  }
  return written;
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

/** Its cause is the model's own error. */
export class SummaryError extends Error {
  override readonly name = "SummaryError";
  readonly code: SummaryErrorCode;

  constructor(code: SummaryErrorCode, options?: { cause?: unknown }) {
    super(messages[code], options);
    this.code = code;
  }
}

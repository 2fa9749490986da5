import {
  type FinishReason,
  type LanguageModel,
  type LanguageModelUsage,
  experimental_streamTextLowMemory as streamText,
} from "ai";
import { type CallPurpose, groveOptions } from "./grove-options";
import { reportedUsage } from "./reported-usage";

export interface TextCall {
  readonly prompt: string;
  readonly text: string;
  readonly usage: LanguageModelUsage | undefined;
}

export interface WrittenText {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: LanguageModelUsage | undefined;
  readonly error: unknown;
}

/** Never throws; text before a fault is kept. Retries are the model's. */
export async function writeText(call: {
  model: LanguageModel;
  purpose: CallPurpose;
  instructions?: string;
  prompt: string;
  maxOutputTokens?: number | undefined;
  signal: AbortSignal;
  onDelta?: ((delta: string) => void) | undefined;
}): Promise<WrittenText> {
  const { model, prompt, instructions, maxOutputTokens, purpose, onDelta } = call;
  const written: { -readonly [Key in keyof WrittenText]: WrittenText[Key] } = {
    text: "",
    finishReason: "error",
    usage: undefined,
    error: undefined,
  };
  const { stream } = streamText({
    model,
    prompt,
    ...(instructions !== undefined && { instructions }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    abortSignal: call.signal,
    maxRetries: 0,
    providerOptions: groveOptions({ purpose }),
    // The default handler would print errors, which arrive as parts.
    onError: () => {},
  });
  try {
    for await (const part of stream) {
      if (part.type === "error") written.error = part.error;
      if (part.type === "finish") {
        written.finishReason = part.finishReason;
        written.usage = reportedUsage(part.totalUsage);
      }
      if (part.type !== "text-delta") continue;
      written.text += part.text;
      onDelta?.(part.text);
    }
  } catch (error) {
    written.error = error;
  }
  return written;
}

import { generateText, type LanguageModel } from "ai";
import { clip } from "@/lib/session";
import { groveOptions } from "./grove-options";
import type { TextCall } from "./summarizer";
import { maxTitleCharacters, titleFromQuestion } from "./title-from-question";
import { titleInstructions, titlePrompt } from "./title-prompt";

const timeoutMs = 10_000;

/**
 * A title of at most 60 characters for a conversation that began with `question` and `answer`.
 *
 * Never fails: when the model does, says nothing, takes longer than ten seconds or is stopped, the title is made
 * of the question's first words.
 */
export async function generateTitle(options: {
  model: LanguageModel;
  question: string;
  answer: string;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Hears of the call when the model has answered. */
  onCall?: ((call: TextCall) => Promise<void>) | undefined;
}): Promise<string> {
  const { model, question, answer, signal } = options;
  const deadline = AbortSignal.timeout(options.timeoutMs ?? timeoutMs);
  const call = await callFor(titlePrompt(question, answer), {
    model,
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  });
  if (!call) return titleFromQuestion(question);
  await options.onCall?.(call);
  return tidyTitle(call.text) || titleFromQuestion(question);
}

async function callFor(
  prompt: string,
  { model, signal }: { model: LanguageModel; signal: AbortSignal },
): Promise<TextCall | null> {
  try {
    const { text, totalUsage } = await generateText({
      model,
      instructions: titleInstructions,
      prompt,
      providerOptions: groveOptions({ purpose: "title" }),
      abortSignal: signal,
      maxRetries: 1,
    });
    return { prompt: `${titleInstructions}\n${prompt}`, text, usage: totalUsage };
  } catch {
    // A title is a convenience: nobody should hear of a failure to make one.
    return null;
  }
}

/** The title in what a model said: its first line, without the wrapping that models like to add. */
export function tidyTitle(said: string): string {
  const [line = ""] = said.trim().split("\n");
  const bare = line
    .replace(/^[#>*\s]+/, "")
    .replace(/^title:\s*/i, "")
    .replace(/^["'“”‘’*_`]+|["'“”‘’*_`.]+$/g, "");
  return clip(bare, maxTitleCharacters);
}

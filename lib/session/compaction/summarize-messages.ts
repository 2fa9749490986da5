import { SummaryRejectedError } from "@/lib/session/errors";
import type { SessionMessage } from "@/lib/session/message";
import { shortenToolOutputs } from "@/lib/session/micro-compaction/shorten-tool-outputs";
import { cutText } from "@/lib/session/text";
import { estimateStringTokens } from "@/lib/session/tokens/estimate-tokens";
import { renderMessage } from "./render-transcript";
import { type SummaryPromptOptions, summaryPromptFor } from "./summary-prompt";

/** A summary with its model and its cost in dollars, as far as known. */
export interface WrittenSummary {
  readonly text: string;
  readonly model?: string | undefined;
  /** Dollars for all calls. */
  readonly cost?: number | undefined;
}

/** A model's answer; `finishReason: "length"` means truncated. */
export interface SummarizerAnswer extends WrittenSummary {
  readonly finishReason?: string | undefined;
}

/** Asks a model for a summary: the port through which compaction reaches one. */
export type Summarize = (
  prompt: string,
  options?: { signal?: AbortSignal },
) => Promise<string | SummarizerAnswer>;

/** Makes of stored messages what a model reads of them, on a copy. */
export type ModelView = (messages: readonly SessionMessage[]) => readonly SessionMessage[];

export const defaultModelView: ModelView = (messages) => shortenToolOutputs(messages).messages;

export interface SummarizeOptions extends SummaryPromptOptions {
  /**
   * The summarizing model's view of the messages. Default: all, with tool outputs as `shortenToolOutputs` gives them.
   */
  readonly modelView?: ModelView | undefined;
  readonly summarize: Summarize;
  /**
   * The largest prompt the model takes; longer conversations are summarized in pieces, each updating the summary so
   * far.
   */
  readonly maxInputTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const promptOverheadTokens = 400;
const minPieceTokens = 200;

/**
 * Summarizes messages of any total length. @throws {SummaryRejectedError} when an answer is blank or truncated.
 */
export async function summarizeMessages(
  messages: readonly SessionMessage[],
  { summarize, maxInputTokens, signal, modelView = defaultModelView, ...prompt }: SummarizeOptions,
): Promise<WrittenSummary> {
  const room = maxInputTokens && pieceTokens(maxInputTokens, prompt);
  let written: WrittenSummary | null = null;
  for (const piece of packPieces(modelView(messages).map(renderMessage), room)) {
    const previousSummary = written?.text ?? prompt.previousSummary;
    const request = summaryPromptFor(piece, { ...prompt, previousSummary });
    const next = acceptable(await summarize(request, signal && { signal }));
    written = written ? { ...next, cost: sumOf(written.cost, next.cost) } : next;
  }
  return written ?? { text: prompt.previousSummary ?? "" };
}

/** An unknown part makes the sum unknown. */
function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function pieceTokens(
  maxInputTokens: number,
  { budget, previousSummary = "", focus = "" }: SummaryPromptOptions,
): number {
  const summaryTokens = Math.max(budget, estimateStringTokens(previousSummary));
  const taken = promptOverheadTokens + summaryTokens + estimateStringTokens(focus);
  return Math.max(minPieceTokens, maxInputTokens - taken);
}

function acceptable(answer: string | SummarizerAnswer): WrittenSummary {
  const { text, finishReason, model, cost }: SummarizerAnswer =
    typeof answer === "string" ? { text: answer } : answer;
  if (finishReason === "length") throw new SummaryRejectedError("truncated");
  if (text.trim() === "") throw new SummaryRejectedError("blank");
  return { text: text.trim(), model, cost };
}

/** Packs messages into texts of at most `room` tokens; without a limit, one text. */
function packPieces(rendered: readonly string[], room: number | undefined): string[] {
  if (room === undefined) return [rendered.join("\n\n")];
  const pieces: { texts: string[]; tokens: number }[] = [];
  for (const text of rendered.flatMap((each) => sliceToFit(each, room))) {
    const tokens = estimateStringTokens(text);
    const last = pieces.at(-1);
    if (last && last.tokens + tokens <= room) {
      last.texts.push(text);
      last.tokens += tokens;
    } else {
      pieces.push({ texts: [text], tokens });
    }
  }
  return pieces.map(({ texts }) => texts.join("\n\n"));
}

function sliceToFit(text: string, room: number): string[] {
  const tokens = estimateStringTokens(text);
  if (tokens <= room) return [text];
  const length = Math.max(2, Math.floor((text.length * room) / tokens));
  const slices: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const slice = cutText(rest, length);
    slices.push(slice);
    rest = rest.slice(slice.length);
  }
  return slices;
}

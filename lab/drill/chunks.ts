import { createUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { Random } from "@/lab/bench/random";
import { answerParts } from "@/lib/chat/answering/answer-message";
import type { SessionMessagePart } from "@/lib/session";
import { type LooseChunk, mutatedChunks, wellFormedChunks } from "./chunk-sequences";
import type { Drill, DrillOptions, DrillResult } from "./drill";

export const chunks: Drill = {
  name: "chunks",
  promise: "Any sequence of chunks becomes an answer with all its words.",
  unit: "sequences",
  fullCount: 100_000,
  run: assembleChunks,
};

/** Half of the sequences are well formed: for them the SDK's own reader says what is right. */
export async function assembleChunks({
  count,
  seed,
  signal,
  say,
}: DrillOptions): Promise<DrillResult> {
  const broken: string[] = [];
  const figures = { "well formed": 0, mutated: 0, words: 0, "longest (ms)": 0 };
  for (let n = 0; n < count && !signal.aborted && broken.length < 10; n++) {
    const random = new Random(seed + n);
    const whole = wellFormedChunks(random);
    const isMutated = n % 2 === 1;
    const sequence = isMutated ? mutatedChunks(whole, random) : whole;
    figures[isMutated ? "mutated" : "well formed"]++;
    figures.words += wordsIn(sequence, "text").length + wordsIn(sequence, "reasoning").length;
    const startedAt = performance.now();
    const problem = await problemOf(sequence, isMutated ? null : whole);
    figures["longest (ms)"] = Math.max(figures["longest (ms)"], performance.now() - startedAt);
    if (problem) broken.push(`Sequence ${seed + n}: ${problem}`);
    if (n > 0 && n % 10_000 === 0) say(`${n} sequences`);
  }
  return { broken, figures };
}

async function problemOf(
  sequence: readonly unknown[],
  whole: readonly UIMessageChunk[] | null,
): Promise<string | null> {
  let parts: SessionMessagePart[];
  try {
    parts = await answerParts(sequence);
  } catch (error) {
    return `assembling failed: ${String(error)}`;
  }
  if (whole) {
    const expected = JSON.stringify((await readBySdk(whole)).map(asEnded));
    if (JSON.stringify(parts) !== expected) return "its parts are not those of the SDK's reader";
  }
  for (const type of ["text", "reasoning"] as const) {
    const texts = parts.filter((part) => part.type === type).map(({ text }) => String(text));
    const length = texts.join("").length;
    const words = wordsIn(sequence, type);
    if (length !== words.join("").length || !words.every((word) => texts.join("").includes(word)))
      return `words of its ${type} are missing or doubled`;
  }
  const stored = JSON.stringify(parts);
  const missing = resultsIn(sequence).find((result) => !stored.includes(result));
  if (missing !== undefined) return `the result ${missing} is missing`;
  return "polluted" in {} ? "it changed the prototype of objects" : null;
}

async function readBySdk(sequence: readonly UIMessageChunk[]): Promise<SessionMessagePart[]> {
  const read = Promise.withResolvers<UIMessage>();
  const stream = createUIMessageStream({
    execute: ({ writer }) => {
      for (const chunk of sequence) writer.write(chunk);
    },
    onEnd: ({ responseMessage }) => read.resolve(responseMessage),
  });
  await stream.pipeTo(new WritableStream());
  return (await read.promise).parts as unknown as SessionMessagePart[];
}

/** Grove ends what was cut off, and keeps no progress as a result. */
function asEnded(part: SessionMessagePart): SessionMessagePart {
  if (part.preliminary === true) {
    const { preliminary: _, output: __, ...call } = part;
    return { ...call, type: part.type, state: "input-available" };
  }
  const isOpen = (part.type === "text" || part.type === "reasoning") && part.state === "streaming";
  return isOpen ? { ...part, state: "done" } : part;
}

function isChunk(value: unknown): value is LooseChunk {
  return typeof value === "object" && value !== null;
}

function wordsIn(sequence: readonly unknown[], kind: "text" | "reasoning"): string[] {
  return sequence.filter(isChunk).flatMap(({ type, delta }) => {
    if (type !== `${kind}-delta`) return [];
    return typeof delta === "string" || typeof delta === "number" ? [String(delta)] : [];
  });
}

/** Texts of results that are no progress. */
function resultsIn(sequence: readonly unknown[]): string[] {
  return sequence.filter(isChunk).flatMap(({ type, output, errorText, preliminary }) => {
    if (type === "tool-output-error" && typeof errorText === "string") return [quoted(errorText)];
    if (type !== "tool-output-available" || preliminary === true) return [];
    if (typeof output === "string") return [quoted(output)];
    const found = isChunk(output) ? output.found : undefined;
    return typeof found === "string" ? [quoted(found)] : [];
  });
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

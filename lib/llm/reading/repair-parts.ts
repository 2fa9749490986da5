import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { InvalidResponseDataError, JSONParseError, TypeValidationError } from "ai";
import { type ProviderFaultError, providerRefusal } from "@/lib/llm/provider-fault";
import type { PartSink, StreamPart, TextDelta } from "@/lib/llm/stream-parts";
import type { Output, Transform } from "@/lib/llm/transform-stream";
import type { ReadCall } from "./answer-reader";
import { endOfAnswer } from "./end-of-answer";
import { CharacterJoiner, wellFormed, wellFormedJson, wellFormedValue } from "./well-formed";

type Start = Extract<StreamPart, { type: "text-start" | "reasoning-start" }>;
type End = Extract<StreamPart, { type: "text-end" | "reasoning-end" }>;
type Input = Extract<StreamPart, { type: `tool-input-${string}` }>;

const thoughtId = "thought";
const thoughtKey = `reasoning ${thoughtId}`;

interface OpenText {
  readonly type: Start["type"];
  readonly id: string;
  /** Sent with the first words, so that a picture leaves no empty text before it. */
  start: Start | null;
  readonly joiner: CharacterJoiner;
}

/** Leaves out events that a package could not read. */
export function repairParts(call: ReadCall): Transform<StreamPart> {
  return new PartRepair(call);
}

class PartRepair implements Transform<StreamPart> {
  readonly #call: ReadCall;
  readonly #open = new Map<string, OpenText>();
  readonly #inputs = new Map<string, CharacterJoiner>();
  #hasCalls = false;
  #hasFailed = false;
  #isFinished = false;

  constructor(call: ReadCall) {
    this.#call = call;
  }

  transform(part: StreamPart, output: Output<StreamPart>): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#close(keyOf(part), output);
        this.#begin(part);
        break;
      case "text-delta":
      case "reasoning-delta":
        this.#write(part, output);
        break;
      case "text-end":
      case "reasoning-end":
        this.#close(keyOf(part), output, part);
        break;
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
        this.#input(part, output);
        break;
      case "tool-call":
        this.#hasCalls ||= part.providerExecuted !== true;
        output.enqueue({
          ...part,
          toolName: wellFormed(part.toolName),
          input: wellFormedJson(part.input),
        });
        break;
      case "tool-result":
      case "source":
        output.enqueue(wellFormedValue(part) as StreamPart);
        break;
      case "error":
        if (isUnread(part.error) || isEndOnly(part.error, this.#call)) break;
        this.#hasFailed = true;
        output.enqueue({ ...part, error: refusalOf(this.#call) ?? part.error });
        break;
      case "finish":
        this.#finish(part, output);
        break;
      default:
        output.enqueue(part);
    }
  }

  flush(output: PartSink): void {
    for (const key of [...this.#open.keys()]) this.#close(key, output);
  }

  #begin(start: Start): OpenText {
    const text = { type: start.type, id: start.id, start, joiner: new CharacterJoiner() };
    this.#open.set(keyOf(start), text);
    return text;
  }

  #write(part: TextDelta, output: PartSink): void {
    const file = part.type === "text-delta" ? this.#call.files.get(part.delta) : undefined;
    if (file) {
      this.#close(keyOf(part), output);
      const data = { type: "data", data: file.data } as const;
      output.enqueue({ type: "file", mediaType: file.mediaType, data });
      return;
    }
    const thought = this.#call.thoughts.get(part.delta);
    if (thought !== undefined && this.#call.thoughts.delete(part.delta)) {
      this.#close(keyOf(part), output);
      this.#write({ type: "reasoning-delta", id: thoughtId, delta: thought }, output);
      return;
    }
    if (part.type === "text-delta") this.#close(thoughtKey, output);
    const type = part.type === "text-delta" ? "text-start" : "reasoning-start";
    const text = this.#open.get(keyOf(part)) ?? this.#begin({ type, id: part.id });
    const delta = text.joiner.take(part.delta);
    if (delta === "" && part.providerMetadata === undefined) return;
    sendStart(text, output);
    output.enqueue(delta === part.delta ? part : { ...part, delta });
  }

  #close(key: string, output: PartSink, given?: End): void {
    const text = this.#open.get(key);
    if (!text) return;
    this.#open.delete(key);
    const isText = text.type === "text-start";
    const { id } = text;
    const end: End = given ?? { type: isText ? "text-end" : "reasoning-end", id };
    const delta = text.joiner.end();
    const isNoted = end.providerMetadata ?? text.start?.providerMetadata;
    if (delta === "" && text.start && isNoted === undefined) return;
    sendStart(text, output);
    if (delta !== "")
      output.enqueue({ type: isText ? "text-delta" : "reasoning-delta", id, delta });
    output.enqueue(end);
  }

  #input(part: Input, output: PartSink): void {
    if (part.type === "tool-input-start") {
      this.#inputs.set(part.id, new CharacterJoiner());
      output.enqueue({ ...part, toolName: wellFormed(part.toolName) });
    } else if (part.type === "tool-input-delta") {
      const delta = this.#inputs.get(part.id)?.take(part.delta) ?? "";
      if (delta !== "") output.enqueue({ ...part, delta });
    } else if (this.#inputs.delete(part.id)) output.enqueue(part);
  }

  #finish(part: Extract<StreamPart, { type: "finish" }>, output: PartSink): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.flush(output);
    const end = this.#hasFailed ? null : this.#call.end;
    const finishReason = endOfAnswer(part.finishReason, { end, hasCalls: this.#hasCalls });
    output.enqueue({ ...part, finishReason, usage: reportedUsage(part.usage, this.#call) });
  }
}

function sendStart(text: OpenText, output: PartSink): void {
  if (text.start) output.enqueue(text.start);
  text.start = null;
}

function keyOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type.startsWith("text") ? "text" : "reasoning"} ${id}`;
}

/** An answer is judged by its words and its end. */
function isUnread(error: unknown): boolean {
  return TypeValidationError.isInstance(error) || JSONParseError.isInstance(error);
}

/** A package assumes a transient fault where a provider gave neither type nor code. */
export function refusalOf({ refusal }: Pick<ReadCall, "refusal">): ProviderFaultError | null {
  if (!refusal || refusal.type !== undefined || refusal.code !== undefined) return null;
  return providerRefusal(refusal.message);
}

function isEndOnly(error: unknown, { end }: ReadCall): boolean {
  return end !== null && InvalidResponseDataError.isInstance(error);
}

const unreported = {
  total: undefined,
  noCache: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
};
const unwritten = { total: undefined, text: undefined, reasoning: undefined };

function reportedUsage(usage: LanguageModelV4Usage, { reported }: ReadCall): LanguageModelV4Usage {
  return {
    ...usage,
    inputTokens: reported.input ? usage.inputTokens : unreported,
    outputTokens: reported.output ? usage.outputTokens : unwritten,
  };
}

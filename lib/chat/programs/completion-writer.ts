import type { UIMessageChunk } from "ai";
import { type CalledAs, namesInProgram } from "@/lib/chat/answering/program-call";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { AnswerWriter } from "./answer-writer";
import { failedAnswer, lastingRefusal, type ProgramError, programError } from "./program-error";
import { customInput } from "./program-tools";
import type { FoundResponse } from "./response-object";
import type { JsonRecord } from "./response-writer";

interface WrittenCall {
  readonly id: string;
  readonly own: CalledAs;
  input: string;
}

interface CompletionChoice {
  text: string;
  readonly calls: WrittenCall[];
}

export class CompletionWriter implements AnswerWriter {
  readonly #found: FoundResponse;
  readonly #tools: ReadonlyMap<string, CalledAs>;
  readonly #choice: CompletionChoice = { text: "", calls: [] };
  #end: GroveMetadata | undefined;

  readonly #withUsage: boolean;

  constructor(found: FoundResponse, { withUsage }: { readonly withUsage: boolean }) {
    this.#found = found;
    this.#withUsage = withUsage;
    this.#tools = namesInProgram(found.request);
  }

  begin(): JsonRecord[] {
    return [this.#chunk({ role: "assistant", content: "", refusal: null })];
  }

  take(chunk: UIMessageChunk): JsonRecord[] {
    switch (chunk.type) {
      case "text-delta":
        if (chunk.delta === "") return [];
        this.#choice.text += chunk.delta;
        return [this.#chunk({ content: chunk.delta })];
      case "tool-input-start":
        return this.#beginCall(chunk.toolCallId, chunk.toolName);
      case "tool-input-delta":
        return this.#callDelta(chunk.toolCallId, chunk.inputTextDelta);
      case "tool-input-available":
        return this.#endCall(chunk.toolCallId, chunk.toolName, chunk.input);
      case "finish":
        this.#end = chunk.messageMetadata as GroveMetadata;
        return [];
      default:
        return [];
    }
  }

  end(): JsonRecord[] {
    const last = this.#chunk({}, this.#finishReason());
    const base = this.#base("chat.completion.chunk");
    return this.#withUsage ? [last, { ...base, choices: [], usage: this.#usage() }] : [last];
  }

  failure({ message, type, code }: ProgramError): JsonRecord {
    return { error: { message, type, code, param: null } };
  }

  whole(): JsonRecord {
    const { text, calls } = this.#choice;
    const message = {
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      refusal: null,
      ...(calls.length > 0 && { tool_calls: calls.map(wire) }),
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: this.#finishReason() };
    const { metadata = {} } = this.#found.request ?? {};
    const named = Object.keys(metadata).length > 0 && { metadata };
    const completion = { ...this.#base("chat.completion"), ...named };
    return { ...completion, choices: [choice], usage: this.#usage() };
  }

  #beginCall(id: string, toolName: string): JsonRecord[] {
    const own = this.#tools.get(toolName);
    if (!own) return [];
    const index = this.#choice.calls.push({ id, own, input: "" }) - 1;
    // A custom tool's text stands in JSON, which is read once it is whole.
    return own.isCustom ? [] : [this.#callChunk(index)];
  }

  #callDelta(id: string, delta: string): JsonRecord[] {
    const index = this.#choice.calls.findIndex((each) => each.id === id);
    const call = this.#choice.calls[index];
    if (!call || call.own.isCustom || delta === "") return [];
    call.input += delta;
    return [this.#chunk({ tool_calls: [{ index, function: { arguments: delta } }] })];
  }

  #endCall(id: string, toolName: string, input: unknown): JsonRecord[] {
    const index = this.#choice.calls.findIndex((each) => each.id === id);
    const call = this.#choice.calls[index];
    if (!call) {
      const begun = this.#beginCall(id, toolName);
      const ended = this.#choice.calls.some((each) => each.id === id);
      return ended ? [...begun, ...this.#endCall(id, toolName, input)] : begun;
    }
    if (call.own.isCustom) {
      call.input = customInput(input);
      return [this.#callChunk(index)];
    }
    return call.input === "" ? this.#callDelta(id, JSON.stringify(input ?? {})) : [];
  }

  #callChunk(index: number): JsonRecord {
    const calls = this.#choice.calls.slice(index, index + 1).map(wire);
    return this.#chunk({ tool_calls: calls.map((call) => ({ index, ...call })) });
  }

  #finishReason(): string {
    const { status, error } = this.#end ?? {};
    if (error?.code === "cut" || status === "stopped") return "length";
    if (error?.code === "refused") return "content_filter";
    if (error?.code === "wrong-format") throw programError("wrong-format", error.message);
    const refusal = lastingRefusal(error);
    if (refusal) throw refusal;
    if (status !== "complete") throw failedAnswer(error);
    return this.#choice.calls.length > 0 ? "tool_calls" : "stop";
  }

  #usage(): JsonRecord | null {
    const { inputTokens, outputTokens } = this.#end ?? {};
    if (inputTokens === undefined || outputTokens === undefined) return null;
    return {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    };
  }

  #chunk(delta: JsonRecord, finishReason: string | null = null): JsonRecord {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
    return { ...this.#base("chat.completion.chunk"), choices: [choice] };
  }

  #base(object: string): JsonRecord {
    const { run } = this.#found;
    return {
      id: `chatcmpl-${run.id}`,
      object,
      created: Math.floor(run.startedAt.getTime() / 1_000),
      model: run.model,
      service_tier: "default",
    };
  }
}

function wire({ id, own: { name, isCustom }, input }: WrittenCall): JsonRecord {
  return isCustom
    ? { id, type: "custom", custom: { name, input } }
    : { id, type: "function", function: { name, arguments: input } };
}

import type { UIMessageChunk } from "ai";
import { z } from "zod";
import { type CalledAs, namesInProgram } from "@/lib/chat/answering/program-call";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { AnswerWriter } from "./answer-writer";
import { argumentsOf } from "./items";
import { messagesErrorBody } from "./messages-error";
import { failedAnswer, lastingRefusal, type ProgramError, programError } from "./program-error";
import type { FoundResponse } from "./response-object";
import type { JsonRecord } from "./response-writer";

interface Block {
  readonly kind: "text" | "thinking" | "tool_use" | "redacted_thinking";
  readonly key: string;
  readonly name?: string;
  text: string;
  signature: string;
  sent: number;
  isBegun: boolean;
  isEnded: boolean;
}

const ofAnthropic = z.object({
  anthropic: z.object({
    signature: z.string().optional(),
    redactedData: z.string().optional(),
  }),
});

/** A block is sent once the one before it has ended, even when their chunks alternate. */
export class MessageWriter implements AnswerWriter {
  readonly #found: FoundResponse;
  readonly #tools: ReadonlyMap<string, CalledAs>;
  readonly #showsThoughts: boolean;
  readonly #blocks: Block[] = [];
  #closed = 0;
  #end: GroveMetadata | undefined;

  constructor(found: FoundResponse, { showsThoughts }: { readonly showsThoughts: boolean }) {
    this.#found = found;
    this.#tools = namesInProgram(found.request);
    this.#showsThoughts = showsThoughts;
  }

  begin(): JsonRecord[] {
    const message = { ...this.#message([], null), usage: usageOf({}) };
    return [{ type: "message_start", message }];
  }

  take(chunk: UIMessageChunk): JsonRecord[] {
    this.#read(chunk);
    return this.#due();
  }

  end(): JsonRecord[] {
    const reason = this.#stopReason();
    for (const block of this.#blocks) block.isEnded = true;
    const delta = { stop_reason: reason, stop_sequence: null };
    return [
      ...this.#due(),
      { type: "message_delta", delta, usage: usageOf(this.#end ?? {}) },
      { type: "message_stop" },
    ];
  }

  failure(error: ProgramError): JsonRecord {
    return messagesErrorBody(error);
  }

  whole(): JsonRecord {
    const reason = this.#stopReason();
    const message = this.#message(this.#blocks.map(wholeBlock), reason);
    return { ...message, usage: usageOf(this.#end ?? {}) };
  }

  #read(chunk: UIMessageChunk): void {
    switch (chunk.type) {
      case "text-delta":
        this.#append("text", chunk.id, chunk.delta);
        break;
      case "text-end":
      case "reasoning-end":
        this.#sign(chunk.id, chunk.providerMetadata);
        this.#endOf(chunk.id);
        break;
      case "reasoning-start":
        this.#redacted(chunk.id, chunk.providerMetadata);
        break;
      case "reasoning-delta":
        if (this.#showsThoughts) this.#append("thinking", chunk.id, chunk.delta);
        this.#sign(chunk.id, chunk.providerMetadata);
        break;
      case "tool-input-start":
        this.#call(chunk.toolCallId, chunk.toolName);
        break;
      case "tool-input-delta":
        if (this.#open(chunk.toolCallId))
          this.#append("tool_use", chunk.toolCallId, chunk.inputTextDelta);
        break;
      case "tool-input-available":
        this.#endCall(chunk.toolCallId, chunk.toolName, chunk.input);
        break;
      case "tool-input-error":
        this.#endOf(chunk.toolCallId);
        break;
      case "finish":
        this.#end = chunk.messageMetadata as GroveMetadata;
        break;
      default:
        break;
    }
  }

  #open(key: string): Block | undefined {
    return this.#blocks.findLast((block) => block.key === key && !block.isEnded);
  }

  #append(kind: Block["kind"], key: string, delta: string): void {
    if (delta === "") return;
    const block = this.#open(key) ?? this.#add({ kind, key });
    block.text += delta;
  }

  #add(block: Pick<Block, "kind" | "key" | "name">): Block {
    const added = { ...block, text: "", signature: "", sent: 0, isBegun: false, isEnded: false };
    this.#blocks.push(added);
    return added;
  }

  #sign(key: string, metadata: unknown): void {
    const block = this.#open(key);
    const signature = ofAnthropic.safeParse(metadata).data?.anthropic.signature;
    if (block && signature) block.signature = signature;
  }

  #redacted(key: string, metadata: unknown): void {
    const data = ofAnthropic.safeParse(metadata).data?.anthropic.redactedData;
    if (!data || !this.#showsThoughts) return;
    const block = this.#add({ kind: "redacted_thinking", key });
    block.text = data;
    block.isEnded = true;
  }

  #call(key: string, toolName: string): Block | undefined {
    const own = this.#tools.get(toolName);
    return own && (this.#open(key) ?? this.#add({ kind: "tool_use", key, name: own.name }));
  }

  #endCall(key: string, toolName: string, input: unknown): void {
    const block = this.#call(key, toolName);
    if (!block) return;
    if (block.text === "") block.text = JSON.stringify(input ?? {});
    block.isEnded = true;
  }

  #endOf(key: string): void {
    const block = this.#open(key);
    if (block) block.isEnded = true;
  }

  #due(): JsonRecord[] {
    const events: JsonRecord[] = [];
    for (;;) {
      const block = this.#blocks[this.#closed];
      if (!block) return events;
      events.push(...dueOf(block, this.#closed));
      if (!block.isEnded) return events;
      this.#closed += 1;
    }
  }

  #stopReason(): string {
    const { status, error } = this.#end ?? {};
    if (error?.code === "cut") return "max_tokens";
    if (error?.code === "refused") return "refusal";
    if (error?.code === "wrong-format") throw programError("wrong-format", error.message);
    const refusal = lastingRefusal(error);
    if (refusal) throw refusal;
    // A person who stops an answer ends it.
    if (status !== "complete" && status !== "stopped") throw failedAnswer(error);
    return this.#blocks.some(({ kind }) => kind === "tool_use") ? "tool_use" : "end_turn";
  }

  #message(content: JsonRecord[], stopReason: string | null): JsonRecord {
    const { run } = this.#found;
    return {
      id: `msg_${run.id}`,
      type: "message",
      role: "assistant",
      model: run.model,
      content,
      stop_reason: stopReason,
      stop_sequence: null,
    };
  }
}

function dueOf(block: Block, index: number): JsonRecord[] {
  const events: JsonRecord[] = [];
  const delta = (changed: JsonRecord) =>
    events.push({ type: "content_block_delta", index, delta: changed });
  if (!block.isBegun)
    events.push({ type: "content_block_start", index, content_block: begunBlock(block) });
  block.isBegun = true;
  const text = block.text.slice(block.sent);
  block.sent = block.text.length;
  if (text !== "" && block.kind === "text") delta({ type: "text_delta", text });
  if (text !== "" && block.kind === "thinking") delta({ type: "thinking_delta", thinking: text });
  if (text !== "" && block.kind === "tool_use")
    delta({ type: "input_json_delta", partial_json: text });
  if (!block.isEnded) return events;
  if (block.kind === "thinking") delta({ type: "signature_delta", signature: block.signature });
  events.push({ type: "content_block_stop", index });
  return events;
}

function begunBlock({ kind, key, name, text }: Block): JsonRecord {
  switch (kind) {
    case "text":
      return { type: kind, text: "" };
    case "thinking":
      return { type: kind, thinking: "", signature: "" };
    case "redacted_thinking":
      return { type: kind, data: text };
    case "tool_use":
      return { type: kind, id: key, name, input: {} };
  }
}

function wholeBlock(block: Block): JsonRecord {
  const { kind, text, signature } = block;
  const begun = begunBlock(block);
  if (kind === "text") return { ...begun, text };
  if (kind === "thinking") return { ...begun, thinking: text, signature };
  return kind === "tool_use" ? { ...begun, input: inputIn(text) } : begun;
}

function usageOf({ inputTokens = 0, outputTokens = 0 }: GroveMetadata): JsonRecord {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
  };
}

function inputIn(text: string): unknown {
  const input = argumentsOf(text);
  return typeof input === "object" && input !== null ? input : { input };
}

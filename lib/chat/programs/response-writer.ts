import type { UIMessageChunk } from "ai";
import type { SessionMessagePart } from "grove-session";
import { isToolPart, toolNameOf } from "grove-session";
import type { CalledAs } from "@/lib/chat/answering/program-call";
import { customInput } from "./program-tools";

export type JsonRecord = Record<string, unknown>;

export type OutputItem = NewItem & { id: string };

type NewItem = JsonRecord & {
  type: "message" | "reasoning" | "function_call" | "custom_tool_call" | "mcp_call";
};

export interface ResponseEvent extends JsonRecord {
  type: string;
  sequence_number: number;
}

interface OpenItem {
  readonly index: number;
  text: string;
}

const groveTools = "grove";

/** The same chunks make the same events, so that a stream continues after any sequence number. */
export class ResponseWriter {
  readonly #messageId: string;
  readonly #ownTools: ReadonlyMap<string, CalledAs>;
  readonly #items: OutputItem[] = [];
  readonly #open = new Map<string, OpenItem>();
  #events: ResponseEvent[] = [];
  #sequence = 0;

  constructor(messageId: string, ownTools: ReadonlyMap<string, CalledAs>) {
    this.#messageId = messageId;
    this.#ownTools = ownTools;
  }

  get output(): readonly OutputItem[] {
    return this.#items;
  }

  get text(): string {
    return this.#items
      .filter(({ type }) => type === "message")
      .map(({ content }) => (content as { text: string }[]).map(({ text }) => text).join(""))
      .join("");
  }

  begin(response: JsonRecord): ResponseEvent[] {
    this.#emit("response.created", { response });
    this.#emit("response.in_progress", { response });
    return this.#taken();
  }

  take(chunk: UIMessageChunk): ResponseEvent[] {
    switch (chunk.type) {
      case "text-start":
        this.#beginText(chunk.id);
        break;
      case "text-delta":
        this.#textDelta(chunk.id, chunk.delta);
        break;
      case "text-end":
        this.#endText(chunk.id, "completed");
        break;
      case "reasoning-start":
        this.#beginReasoning(chunk.id);
        break;
      case "reasoning-delta":
        this.#reasoningDelta(chunk.id, chunk.delta);
        break;
      case "reasoning-end":
        this.#endReasoning(chunk.id);
        break;
      case "tool-input-start":
        this.#beginCall(chunk.toolCallId, chunk.toolName);
        break;
      case "tool-input-delta":
        this.#inputDelta(chunk.toolCallId, chunk.inputTextDelta);
        break;
      case "tool-input-available":
        this.#beginCall(chunk.toolCallId, chunk.toolName);
        this.#endInput(chunk.toolCallId, JSON.stringify(chunk.input ?? {}));
        break;
      case "tool-input-error":
        this.#beginCall(chunk.toolCallId, chunk.toolName);
        this.#endInput(chunk.toolCallId, textOf(chunk.input), "incomplete");
        this.#endCall(chunk.toolCallId, { error: chunk.errorText });
        break;
      case "tool-output-available":
        if (!chunk.preliminary) this.#endCall(chunk.toolCallId, { output: textOf(chunk.output) });
        break;
      case "tool-output-error":
        this.#endCall(chunk.toolCallId, { error: chunk.errorText });
        break;
      default:
        break;
    }
    return this.#taken();
  }

  continueAfter(sequence: number): void {
    this.#sequence = Math.max(this.#sequence, sequence + 1);
  }

  end(type: string, finish: () => JsonRecord): ResponseEvent[] {
    for (const [key, { index }] of this.#open) {
      const item = this.#items[index];
      if (item?.type === "message") this.#endText(keyed("text", key), "incomplete");
      else if (item?.type === "reasoning") this.#endReasoning(keyed("reasoning", key));
      else if (item) this.#close(key, { status: "incomplete" });
    }
    this.#emit(type, { response: finish() });
    return this.#taken();
  }

  #beginText(id: string): void {
    const item = this.#add("text", id, {
      type: "message",
      role: "assistant",
      status: "in_progress",
      content: [],
    });
    this.#emit("response.content_part.added", { ...item, content_index: 0, part: outputText("") });
  }

  #textDelta(id: string, delta: string): void {
    this.#append("text", id, delta, (place) =>
      this.#emit("response.output_text.delta", { ...place, content_index: 0, delta, logprobs: [] }),
    );
  }

  #endText(id: string, status: "completed" | "incomplete"): void {
    const open = this.#open.get(`text ${id}`);
    if (!open) return;
    const place = this.#placeOf(open.index);
    const part = outputText(open.text);
    this.#emit("response.output_text.done", {
      ...place,
      content_index: 0,
      text: open.text,
      logprobs: [],
    });
    this.#emit("response.content_part.done", { ...place, content_index: 0, part });
    this.#close(`text ${id}`, { status, content: [part] });
  }

  #beginReasoning(id: string): void {
    const place = this.#add("reasoning", id, { type: "reasoning", summary: [] });
    const part = { type: "summary_text", text: "" };
    this.#emit("response.reasoning_summary_part.added", { ...place, summary_index: 0, part });
  }

  #reasoningDelta(id: string, delta: string): void {
    this.#append("reasoning", id, delta, (place) =>
      this.#emit("response.reasoning_summary_text.delta", { ...place, summary_index: 0, delta }),
    );
  }

  #endReasoning(id: string): void {
    const open = this.#open.get(`reasoning ${id}`);
    if (!open) return;
    const { text } = open;
    const place = { ...this.#placeOf(open.index), summary_index: 0 };
    const part = { type: "summary_text", text };
    this.#emit("response.reasoning_summary_text.done", { ...place, text });
    this.#emit("response.reasoning_summary_part.done", { ...place, part });
    this.#close(`reasoning ${id}`, { summary: [part] });
  }

  #beginCall(callId: string, name: string): void {
    if (this.#open.has(`call ${callId}`)) return;
    const own = this.#ownTools.get(name);
    const status = "in_progress";
    if (own) {
      const { isCustom, ...names } = own;
      const given = isCustom ? { input: "" } : { arguments: "" };
      const type = isCustom ? "custom_tool_call" : "function_call";
      this.#add("call", callId, { type, call_id: callId, ...names, ...given, status });
      return;
    }
    const run = { server_label: groveTools, output: null, error: null };
    const call = { name, arguments: "", status };
    const place = this.#add("call", callId, { type: "mcp_call", ...call, ...run });
    this.#emit("response.mcp_call.in_progress", place);
  }

  #inputDelta(callId: string, delta: string): void {
    const type = this.#callType(callId);
    this.#append("call", callId, delta, (place) => {
      if (type !== "custom_tool_call")
        this.#emit(`response.${type}_arguments.delta`, { ...place, delta });
    });
  }

  #endInput(callId: string, input: string, status: "completed" | "incomplete" = "completed"): void {
    const key = `call ${callId}`;
    const open = this.#open.get(key);
    const item = open && this.#items[open.index];
    if (!open || !item) return;
    const given = isJson(open.text) ? open.text : input;
    const place = this.#placeOf(open.index);
    if (item.type === "custom_tool_call") {
      const text = customInput(isJson(given) ? JSON.parse(given) : given);
      this.#items[open.index] = { ...item, input: text };
      const event = "response.custom_tool_call_input";
      if (text !== "") this.#emit(`${event}.delta`, { ...place, delta: text });
      this.#emit(`${event}.done`, { ...place, input: text });
      this.#close(key, { status });
      return;
    }
    this.#items[open.index] = { ...item, arguments: given };
    const name = item.type === "function_call" ? { name: item.name } : {};
    this.#emit(`response.${item.type}_arguments.done`, { ...place, ...name, arguments: given });
    if (item.type === "function_call") this.#close(key, { status });
  }

  #endCall(callId: string, { output, error }: { output?: string; error?: string }): void {
    const key = `call ${callId}`;
    const open = this.#open.get(key);
    if (!open) return;
    const place = this.#placeOf(open.index);
    const state = error === undefined ? "completed" : "failed";
    this.#emit(`response.mcp_call.${state}`, place);
    this.#close(key, {
      status: state,
      output: output ?? null,
      error: error === undefined ? null : toolError(error),
    });
  }

  #callType(callId: string): OutputItem["type"] | undefined {
    return this.#items[this.#open.get(`call ${callId}`)?.index ?? -1]?.type;
  }

  #add(kind: string, id: string, item: NewItem): OutputPlace {
    const index = this.#items.length;
    const added = { id: `${idPrefixes[item.type]}_${this.#messageId}_${index}`, ...item };
    this.#items.push(added);
    this.#open.set(`${kind} ${id}`, { index, text: "" });
    this.#emit("response.output_item.added", { output_index: index, item: added });
    return this.#placeOf(index);
  }

  #append(kind: string, id: string, delta: string, tell: (place: OutputPlace) => void): void {
    const open = this.#open.get(`${kind} ${id}`);
    if (!open || delta === "") return;
    open.text += delta;
    tell(this.#placeOf(open.index));
  }

  #close(key: string, changes: JsonRecord): void {
    const open = this.#open.get(key);
    const item = open && this.#items[open.index];
    if (!open || !item) return;
    const done = { ...item, ...changes };
    this.#items[open.index] = done;
    this.#open.delete(key);
    this.#emit("response.output_item.done", { output_index: open.index, item: done });
  }

  #placeOf(index: number): OutputPlace {
    return { item_id: this.#items[index]?.id ?? "", output_index: index };
  }

  #emit(type: string, fields: JsonRecord): void {
    this.#events.push({ type, sequence_number: this.#sequence, ...fields });
    this.#sequence += 1;
  }

  #taken(): ResponseEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

interface OutputPlace extends JsonRecord {
  readonly item_id: string;
  readonly output_index: number;
}

const idPrefixes = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  custom_tool_call: "ctc",
  mcp_call: "mcp",
} as const;

function outputText(text: string): JsonRecord {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

export function toolError(text: string): JsonRecord {
  return { type: "mcp_tool_execution_error", content: [{ type: "text", text }] };
}

function keyed(kind: string, key: string): string {
  return key.slice(kind.length + 1);
}

function isJson(text: string): boolean {
  if (text === "") return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

export function chunksOf(parts: readonly SessionMessagePart[]): UIMessageChunk[] {
  return parts.flatMap((part, index): UIMessageChunk[] => {
    const id = String(index);
    if (part.type === "text" || part.type === "reasoning") {
      const delta = String(part.text ?? "");
      return [
        { type: `${part.type}-start`, id },
        { type: `${part.type}-delta`, id, delta },
        { type: `${part.type}-end`, id },
      ];
    }
    if (!isToolPart(part)) return [];
    const toolCallId = String(part.toolCallId ?? "");
    const call: UIMessageChunk = {
      type: "tool-input-available",
      toolCallId,
      toolName: toolNameOf(part),
      input: part.input ?? part.rawInput ?? {},
    };
    if (part.state === "output-available")
      return [call, { type: "tool-output-available", toolCallId, output: part.output }];
    if (part.state === "output-error")
      return [call, { type: "tool-output-error", toolCallId, errorText: String(part.errorText) }];
    return [call];
  });
}

import { z } from "zod";
import {
  isToolPart,
  type SessionMessage,
  type SessionMessagePart,
  type StoredMessage,
  toolNameOf,
} from "./message";

/** A message of a system that stores text, with tool results as messages of their own after the calls. */
export interface LinearRecord {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  toolCalls?: RecordedCall[] | undefined;
  toolCallId?: string | undefined;
  /** ISO 8601. */
  timestamp?: string | undefined;
}

interface RecordedCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

const foreignMetadata = z.object({ linearRecord: z.object({ timestamp: z.string() }) });
const record = z.record(z.string(), z.unknown());

/**
 * Reading joins a tool's result with its call. @param toolName of the call that a tool record answers; `null` when
 * there is none.
 */
export function messageFromRecord(
  record: LinearRecord,
  { id, toolName }: { readonly id: string; readonly toolName: string | null },
): SessionMessage {
  const role = record.role === "tool" ? "assistant" : record.role;
  return { id, role, parts: partsOf(record, toolName), ...datedAs(record.timestamp) };
}

function partsOf(record: LinearRecord, toolName: string | null): SessionMessagePart[] {
  if (record.role === "tool") return [resultPart(record, toolName)];
  const calls = record.role === "assistant" ? (record.toolCalls ?? []).map(callPart) : [];
  const text = { type: "text", text: record.content };
  return record.content === "" && calls.length > 0 ? calls : [text, ...calls];
}

function callPart({ id, name, input }: RecordedCall): SessionMessagePart {
  return {
    type: "dynamic-tool",
    toolName: name,
    toolCallId: id,
    state: "input-available",
    input,
  };
}

/** Omitting `input` continues the call whatever its input was. */
function resultPart(
  { content, toolCallId }: LinearRecord,
  toolName: string | null,
): SessionMessagePart {
  return {
    type: "dynamic-tool",
    toolName: toolName ?? "unknown",
    ...(toolCallId !== undefined && { toolCallId }),
    state: "output-available",
    output: content,
  };
}

function datedAs(timestamp: string | undefined): Pick<SessionMessage, "createdAt" | "metadata"> {
  if (timestamp === undefined) return {};
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return { metadata: { linearRecord: { timestamp } } };
  const isPlain = date.toISOString() === timestamp;
  return { createdAt: date, ...(!isPlain && { metadata: { linearRecord: { timestamp } } }) };
}

/** One record per tool result. Reasoning is left out. */
export function linearRecords(message: StoredMessage): LinearRecord[] {
  const timestamp = timestampOf(message);
  if (message.role !== "assistant") {
    return [{ role: message.role, content: textOf(message.parts), timestamp }];
  }
  const records: LinearRecord[] = [];
  let step: SessionMessagePart[] = [];
  const endStep = () => {
    records.push(...stepRecords(step, timestamp));
    step = [];
  };
  for (const part of message.parts) {
    const startsStep =
      part.type === "step-start" || (part.type === "text" && step.some(isAnswered));
    if (startsStep) endStep();
    if (part.type !== "step-start") step.push(part);
  }
  endStep();
  return records.length > 0 ? records : [{ role: "assistant", content: "", timestamp }];
}

function stepRecords(parts: readonly SessionMessagePart[], timestamp: string): LinearRecord[] {
  const tools = parts.filter(isToolPart);
  const calls = tools.filter((part) => part.input !== undefined).map(callOf);
  const content = textOf(parts);
  const said = parts.some(({ type }) => type === "text" || type === "file");
  const answer: LinearRecord = {
    role: "assistant",
    content,
    ...(calls.length > 0 && { toolCalls: calls }),
    timestamp,
  };
  const results = tools.filter(isAnswered).map(
    (part): LinearRecord => ({
      role: "tool",
      content: resultOf(part),
      ...(typeof part.toolCallId === "string" && { toolCallId: part.toolCallId }),
      timestamp,
    }),
  );
  return [...(said || calls.length > 0 ? [answer] : []), ...results];
}

function callOf(part: SessionMessagePart): RecordedCall {
  const input = record.safeParse(part.input);
  return {
    id: typeof part.toolCallId === "string" ? part.toolCallId : "",
    name: toolNameOf(part),
    input: input.success ? input.data : { input: part.input },
  };
}

function resultOf({ state, output, errorText }: SessionMessagePart): string {
  if (state === "output-denied") return "The person refused this call.";
  if (state === "output-error") return typeof errorText === "string" ? errorText : "failed";
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
}

function textOf(parts: readonly SessionMessagePart[]): string {
  return parts
    .flatMap(({ type, text, filename, mediaType }) => {
      if (type === "file") return [`[File: ${String(filename ?? mediaType ?? "unnamed")}]`];
      return type === "text" && typeof text === "string" ? [text] : [];
    })
    .join("\n");
}

function timestampOf({ metadata, createdAt }: StoredMessage): string {
  const foreign = foreignMetadata.safeParse(metadata);
  return foreign.success ? foreign.data.linearRecord.timestamp : createdAt.toISOString();
}

function isAnswered(part: SessionMessagePart): boolean {
  return isToolPart(part) && typeof part.state === "string" && part.state.startsWith("output-");
}

import { z } from "zod";
import {
  namesInProgram,
  type ProgramCall,
  type ProgramTool,
  programCall,
} from "@/lib/chat/answering/program-call";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { CallUsage } from "@/lib/chat/runs/usage";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { lastingRefusal } from "./program-error";
import { type JsonRecord, ResponseWriter } from "./response-writer";

export const storedRequest = z.object({
  call: programCall,
  developer: z.array(z.string()),
  inputIds: z.array(z.string()),
  isRepeated: z.boolean().default(false),
  instructions: z.string().nullable(),
  previousId: z.string().nullable(),
  /** Older rows only tell that there was one. */
  conversation: z.union([z.string(), z.boolean()]),
  background: z.boolean(),
  store: z.boolean(),
  metadata: z.record(z.string(), z.string()),
});
export type StoredRequest = z.output<typeof storedRequest>;

export interface FoundResponse {
  readonly owner: OwnerData;
  readonly run: RunRecord;
  readonly request: StoredRequest | null;
}

export function responseIdOf(runId: string): string {
  return `resp_${runId}`;
}

export function conversationIdOf(sessionId: string): string {
  return `conv_${sessionId}`;
}

function conversationOf({ conversation }: StoredRequest, { sessionId }: RunRecord): string {
  return typeof conversation === "string" ? conversation : conversationIdOf(sessionId);
}

export const eventTypes = {
  completed: "response.completed",
  failed: "response.failed",
  // The API has no event of its own for a cancelled response.
  cancelled: "response.incomplete",
  incomplete: "response.incomplete",
} as const;

interface State {
  readonly status: "completed" | "failed" | "cancelled" | "incomplete" | "in_progress";
  readonly error?: JsonRecord | null;
  readonly incomplete?: JsonRecord | null;
}

export function stateOf({
  status,
  error,
}: GroveMetadata): State & { status: keyof typeof eventTypes } {
  if (status === "complete") return { status: "completed" };
  if (status === "stopped") return { status: "cancelled" };
  if (status === "paused") return { status: "incomplete" };
  if (error?.code === "cut") {
    return { status: "incomplete", incomplete: { reason: "max_output_tokens" } };
  }
  if (error?.code === "refused") {
    return { status: "incomplete", incomplete: { reason: "content_filter" } };
  }
  const passing = error?.code === "rate-limited" ? "rate_limit_exceeded" : "server_error";
  const code = lastingRefusal(error)?.code ?? passing;
  const message = error?.message ?? "The answer was interrupted. What came of it is stored.";
  return { status: "failed", error: { code, message } };
}

export function writerOf({ run, request }: Pick<FoundResponse, "run" | "request">): ResponseWriter {
  return new ResponseWriter(run.messageId, namesInProgram(request));
}

export function responseObject(
  { run, request }: FoundResponse,
  state: State & {
    readonly output: readonly JsonRecord[];
    readonly end?: GroveMetadata | undefined;
  },
): JsonRecord {
  const call = request?.call;
  const created = Math.floor(run.startedAt.getTime() / 1_000);
  return {
    id: responseIdOf(run.id),
    object: "response",
    access_programs: null,
    created_at: created,
    completed_at: state.status === "completed" ? secondsNow(run) : null,
    status: state.status,
    background: request?.background ?? false,
    error: state.error ?? null,
    incomplete_details: state.incomplete ?? null,
    instructions: request?.instructions ?? null,
    max_output_tokens: call?.maxOutputTokens ?? null,
    max_tool_calls: null,
    model: run.model,
    output: [...state.output],
    parallel_tool_calls: call?.parallelCalls ?? true,
    previous_response_id: request?.previousId ?? null,
    conversation: request?.conversation ? { id: conversationOf(request, run) } : null,
    reasoning: { effort: call?.reasoning ?? null, summary: null },
    service_tier: "default",
    store: request?.store ?? true,
    temperature: call?.temperature ?? null,
    text: {
      format: textFormatOf(call),
      ...(call?.verbosity && { verbosity: call.verbosity }),
    },
    tool_choice: toolChoiceWire(call),
    tools: toolsWire(call?.tools ?? []),
    top_p: call?.topP ?? null,
    top_logprobs: 0,
    truncation: "disabled",
    // Absent until known; the specification has no null here.
    ...usageOf(state.end),
    metadata: request?.metadata ?? {},
  };
}

function secondsNow({ finishedAt }: RunRecord): number {
  return Math.floor((finishedAt ?? new Date()).getTime() / 1_000);
}

function textFormatOf(call: ProgramCall | undefined): JsonRecord {
  const format = call?.format ?? { type: "text" };
  return format.type === "json_schema"
    ? { ...format, strict: format.strict ?? false }
    : { ...format };
}

function toolChoiceWire(call: ProgramCall | undefined): unknown {
  const choice = call?.toolChoice ?? "auto";
  if (typeof choice === "string") return choice;
  const { calledAs } = call?.tools.find(({ name }) => name === choice.name) ?? {};
  const type = calledAs?.isCustom ? "custom" : "function";
  return { type, name: calledAs?.name ?? choice.name };
}

function toolsWire(tools: readonly ProgramTool[]): JsonRecord[] {
  const inNamespaces = Map.groupBy(tools, ({ calledAs }) => calledAs?.namespace ?? "");
  return [...inNamespaces].flatMap(([name, own]) =>
    name === ""
      ? own.map(toolWire)
      : [{ type: "namespace", name, description: "", tools: own.map(toolWire) }],
  );
}

function toolWire({ name, calledAs, description, parameters, strict }: ProgramTool): JsonRecord {
  const given = { name: calledAs?.name ?? name };
  if (calledAs?.isCustom)
    return { type: "custom", ...given, description: description ?? "", format: { type: "text" } };
  return {
    type: "function",
    ...given,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? false,
  };
}

function usageOf({ inputTokens, outputTokens }: GroveMetadata = {}): JsonRecord {
  if (inputTokens === undefined || outputTokens === undefined) return {};
  return { usage: usageWire({ inputTokens, cachedTokens: 0, outputTokens }) };
}

export function usageWire({
  inputTokens,
  cachedTokens,
  outputTokens,
}: Pick<CallUsage, "inputTokens" | "cachedTokens" | "outputTokens">): JsonRecord {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

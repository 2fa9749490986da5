import { z } from "zod";
import { type ProgramCall, programCall } from "@/lib/chat/answering/program-call";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { CallUsage } from "@/lib/chat/runs/usage";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { type JsonRecord, ResponseWriter } from "./response-writer";

/** Stored with the run of a program's answer. */
export const storedRequest = z.object({
  call: programCall,
  /** Instructions among the items, which later responses keep. */
  developer: z.array(z.string()),
  /** Messages that the request has added. */
  inputIds: z.array(z.string()),
  /** Its items were the whole path. */
  isRepeated: z.boolean().default(false),
  instructions: z.string().nullable(),
  previousId: z.string().nullable(),
  /** Its id; in older ones whether there was one. */
  conversation: z.union([z.string(), z.boolean()]),
  background: z.boolean(),
  store: z.boolean(),
  metadata: z.record(z.string(), z.string()),
});
export type StoredRequest = z.output<typeof storedRequest>;

/** A response: a run, and where its data is. */
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
  // A person's answer that waits for a decision.
  if (status === "paused") return { status: "incomplete" };
  if (error?.code === "cut") {
    return { status: "incomplete", incomplete: { reason: "max_output_tokens" } };
  }
  if (error?.code === "refused") {
    return { status: "incomplete", incomplete: { reason: "content_filter" } };
  }
  const code = error?.code === "rate-limited" ? "rate_limit_exceeded" : "server_error";
  const message = error?.message ?? "The answer was interrupted. What came of it is stored.";
  return { status: "failed", error: { code, message } };
}

export function writerOf({ run, request }: Pick<FoundResponse, "run" | "request">): ResponseWriter {
  return new ResponseWriter(run.messageId, request?.call.tools.map(({ name }) => name) ?? []);
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
    parallel_tool_calls: true,
    previous_response_id: request?.previousId ?? null,
    conversation: request?.conversation ? { id: conversationOf(request, run) } : null,
    reasoning: { effort: call?.reasoning ?? null, summary: null },
    service_tier: "default",
    store: request?.store ?? true,
    temperature: call?.temperature ?? null,
    text: { format: textFormatOf(call) },
    tool_choice: toolChoiceWire(call),
    tools: (call?.tools ?? []).map(({ name, description, parameters, strict }) => ({
      type: "function",
      name,
      description: description ?? null,
      parameters: parameters ?? null,
      strict: strict ?? false,
    })),
    top_p: call?.topP ?? null,
    top_logprobs: 0,
    truncation: "disabled",
    // Absent until it is known; the specification has no null here.
    ...usageOf(state.end),
    metadata: request?.metadata ?? {},
  };
}

function secondsNow({ finishedAt }: RunRecord): number {
  return Math.floor((finishedAt ?? new Date()).getTime() / 1_000);
}

function textFormatOf(call: ProgramCall | undefined): JsonRecord {
  const format = call?.format ?? { type: "text" };
  return format.type === "json_schema" ? { ...format, strict: false } : { ...format };
}

function toolChoiceWire(call: ProgramCall | undefined): unknown {
  const choice = call?.toolChoice ?? "auto";
  return typeof choice === "string" ? choice : { type: "function", name: choice.name };
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

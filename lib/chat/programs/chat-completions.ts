import { createHash } from "node:crypto";
import type { UIMessageChunk } from "ai";
import { z } from "zod";
import { reasoningEffort } from "@/lib/chat/answering/program-call";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { titleFromQuestion } from "@/lib/llm";
import type { SessionInfo, SessionMessagePart } from "@/lib/session";
import { canonicalJson, isAnswered, isToolPart, toolNameOf } from "@/lib/session/internal";
import { argumentsOf, type ListedMessage, plainText } from "./items";
import { assertMay, type StoredKey, scopesOf } from "./keys";
import { newProgramSession, type Program } from "./program";
import { ProgramError, programError } from "./program-error";
import type { FoundResponse } from "./response-object";
import { formatOf, functionTools, given, toolChoiceOf, unsupported } from "./response-request";
import type { JsonRecord } from "./response-writer";
import { startAnswer, startedOnce } from "./responses";

const content = z
  .union([z.string().max(1_000_000), z.array(z.looseObject({ type: z.string() }))])
  .nullish();

const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer", "user"]), content }),
  z.object({
    role: z.literal("assistant"),
    content,
    tool_calls: z
      .array(
        z.object({
          id: z.string().min(1).max(200),
          function: z.object({ name: z.string(), arguments: z.string() }),
        }),
      )
      .nullish(),
  }),
  z.object({ role: z.literal("tool"), tool_call_id: z.string().min(1).max(200), content }),
]);
type CompletionMessage = z.output<typeof messageSchema>;

const format = z.union([
  z.object({ type: z.enum(["text", "json_object"]) }),
  z.object({
    type: z.literal("json_schema"),
    json_schema: z.object({
      name: z.string(),
      schema: z.record(z.string(), z.unknown()),
      description: z.string().nullish(),
    }),
  }),
]);

/** `POST /v1/chat/completions`. */
export const completionRequest = z.object({
  model: z.string().min(1).max(200).optional(),
  messages: z.array(messageSchema).min(1).max(20_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z
    .array(z.looseObject({ type: z.string() }))
    .max(128)
    .nullish(),
  tool_choice: z.unknown().optional(),
  response_format: format.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  reasoning_effort: reasoningEffort.nullish(),
  n: z.int().nullish(),
  logprobs: z.boolean().nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  modalities: z.array(z.string()).nullish(),
});
export type CompletionRequest = z.output<typeof completionRequest>;

/**
 * The chat is the one this key began with the same first message.
 *
 * @throws {ProgramError}
 */
export function createCompletion(
  program: Program,
  request: CompletionRequest,
): Promise<FoundResponse> {
  return startedOnce(program, () => newCompletion(program, request));
}

async function newCompletion(program: Program, request: CompletionRequest): Promise<FoundResponse> {
  const { key, owner } = program;
  assertMay(key, { writes: true });
  assertSupported(request);
  const instructions = request.messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map((message) => plainText(message.content ?? "", "messages"));
  const messages = listedMessages(request.messages);
  if (messages.length === 0)
    throw programError("invalid", "“messages” has no question.", "messages");
  const runId = program.making.id;
  const [resolved] = await Promise.all([
    program.chooseModel(request.model ?? null),
    program.runner.assertMayStart(owner, runId),
  ]);
  assertMay(key, { writes: true, model: resolved.info.ref });
  const info = await sessionOf({ key, owner }, messages, resolved.info.ref);
  const followed = await owner.store.messages(info.id).follow(messages, { keyOf: completionKey });
  const parentId = followed.leafId;
  if (parentId === null) throw programError("invalid", "“messages” has no question.", "messages");
  const { response_format: wanted, max_tokens: maxTokens, stop } = request;
  const scopes = scopesOf(key);
  const call = {
    instructions: instructions.join("\n\n"),
    usesMemory: scopes.usesMemory,
    blocks: scopes.blocks,
    tools: functionTools(request.tools),
    toolChoice: toolChoiceOf(request.tool_choice),
    format: formatOf(
      wanted?.type === "json_schema"
        ? { type: "json_schema", ...wanted.json_schema }
        : (wanted ?? { type: "text" }),
    ),
    ...given({
      temperature: request.temperature,
      topP: request.top_p,
      maxOutputTokens: request.max_completion_tokens ?? maxTokens,
      frequencyPenalty: request.frequency_penalty,
      presencePenalty: request.presence_penalty,
      seed: request.seed,
      stopSequences: typeof stop === "string" ? [stop] : stop,
      reasoning: request.reasoning_effort,
    }),
  };
  const stored = {
    call,
    developer: instructions,
    inputIds: [],
    isRepeated: true,
    instructions: null,
    previousId: null,
    conversation: false,
    background: false,
    store: true,
    metadata: {},
  };
  return startAnswer(program, { place: { owner, info }, runId, parentId, stored, resolved });
}

function assertSupported({ n, logprobs, logit_bias: bias, modalities }: CompletionRequest): void {
  if (n && n > 1) throw unsupported("n");
  if (logprobs) throw unsupported("logprobs");
  if (bias && Object.keys(bias).length > 0) throw unsupported("logit_bias");
  if (modalities?.some((each) => each !== "text")) throw unsupported("modalities");
}

/** Instructions are left out; neighbouring results are one message. */
function listedMessages(messages: readonly CompletionMessage[]): ListedMessage[] {
  const calls = new Map<string, { name: string; arguments: string }>();
  const listed: { from: string; role: "user" | "assistant"; parts: SessionMessagePart[] }[] = [];
  for (const [index, message] of messages.entries()) {
    const text = plainText(message.content ?? "", `messages[${index}].content`);
    const said: SessionMessagePart[] = text === "" ? [] : [{ type: "text", text }];
    switch (message.role) {
      case "system":
      case "developer":
        break;
      case "user":
        listed.push({ from: "user", role: "user", parts: [{ type: "text", text }] });
        break;
      case "assistant":
        for (const call of message.tool_calls ?? []) {
          calls.set(call.id, call.function);
          said.push(callPart(call.id, call.function));
        }
        listed.push({ from: "assistant", role: "assistant", parts: said });
        break;
      case "tool": {
        const { tool_call_id: id } = message;
        const call = calls.get(id);
        if (!call) throw programError("invalid", `No tool call has the id ${id}.`, "messages");
        const result = { ...callPart(id, call), state: "output-available", output: text };
        const last = listed.at(-1);
        if (last?.from === "tool") last.parts.push(result);
        else listed.push({ from: "tool", role: "assistant", parts: [result] });
        break;
      }
    }
  }
  return listed.map(({ role, parts }) => ({ role, parts }));
}

function callPart(
  toolCallId: string,
  call: { readonly name: string; readonly arguments: string },
): SessionMessagePart {
  const input = argumentsOf(call.arguments);
  return { type: "dynamic-tool", toolName: call.name, toolCallId, state: "input-available", input };
}

/**
 * Equal for messages that read the same in this API, which knows no reasoning and no tools of Grove. Many programs keep
 * answers without the white space around them.
 */
export function completionKey({ role, parts }: ListedMessage): string {
  const texts = parts.filter(({ type }) => type === "text").map(({ text }) => String(text ?? ""));
  const text = texts.join("");
  const calls = parts.filter((part) => isToolPart(part) && !isAnswered(part));
  const results = parts.filter(
    ({ type, state }) => type === "dynamic-tool" && state === "output-available",
  );
  return canonicalJson([
    role,
    role === "assistant" ? text.trim() : text,
    calls.map((part) => [part.toolCallId, toolNameOf(part), part.input ?? {}]),
    results.map((part) => [part.toolCallId, part.output ?? null]),
  ]);
}

async function sessionOf(
  { key, owner }: { key: StoredKey; owner: OwnerData },
  [first]: readonly ListedMessage[],
  model: string,
): Promise<SessionInfo> {
  const question = first ?? { role: "user", parts: [] };
  const digest = createHash("sha256")
    .update(`${key.id}\0${completionKey(question)}`)
    .digest("hex");
  const text = question.parts.map((part) => String(part.text ?? "")).join(" ");
  // An archived or deleted chat is not written to; the next one begins.
  for (let attempt = 0; ; attempt++) {
    const id = `${digest.slice(0, 32)}${attempt === 0 ? "" : `-${attempt}`}`;
    const known = await owner.store.sessions.get(id);
    if (known && !known.archivedAt) return known;
    if (known) continue;
    const title = titleFromQuestion(text);
    const made = await newProgramSession({ owner, key }, { id, title, model }).catch(nullIfTaken);
    if (made) return made;
  }
}

/** A deleted session keeps its id, since it can be restored. */
function nullIfTaken(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "session-exists") return null;
  throw error;
}

interface Choice {
  text: string;
  readonly calls: { id: string; name: string; input: string }[];
}

/** Turns an answer's chunks into those of a completion. */
export class CompletionWriter {
  readonly #found: FoundResponse;
  readonly #tools: ReadonlySet<string>;
  readonly #choice: Choice = { text: "", calls: [] };
  #end: GroveMetadata | undefined;

  constructor(found: FoundResponse) {
    this.#found = found;
    this.#tools = new Set(found.request?.call.tools.map(({ name }) => name));
  }

  begin(): JsonRecord {
    return this.#chunk({ role: "assistant", content: "", refusal: null });
  }

  take(chunk: UIMessageChunk): JsonRecord[] {
    switch (chunk.type) {
      case "text-delta":
        if (chunk.delta === "") return [];
        this.#choice.text += chunk.delta;
        return [this.#chunk({ content: chunk.delta })];
      case "tool-input-available": {
        if (!this.#tools.has(chunk.toolName)) return [];
        const call = {
          id: chunk.toolCallId,
          name: chunk.toolName,
          input: JSON.stringify(chunk.input ?? {}),
        };
        this.#choice.calls.push(call);
        return [
          this.#chunk({ tool_calls: [{ index: this.#choice.calls.length - 1, ...wire(call) }] }),
        ];
      }
      case "finish":
        this.#end = chunk.messageMetadata as GroveMetadata;
        return [];
      default:
        return [];
    }
  }

  /** The last chunk. @throws {ProgramError} when the answer failed. */
  end(): JsonRecord {
    return this.#chunk({}, this.#finishReason());
  }

  usageChunk(): JsonRecord {
    return { ...this.#base("chat.completion.chunk"), choices: [], usage: this.#usage() };
  }

  /** The whole completion. @throws {ProgramError} when the answer failed. */
  completion(): JsonRecord {
    const { text, calls } = this.#choice;
    const message = {
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      refusal: null,
      ...(calls.length > 0 && { tool_calls: calls.map(wire) }),
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: this.#finishReason() };
    return { ...this.#base("chat.completion"), choices: [choice], usage: this.#usage() };
  }

  #finishReason(): string {
    const { status, error } = this.#end ?? {};
    if (error?.code === "cut" || status === "stopped") return "length";
    if (error?.code === "refused") return "content_filter";
    if (status !== "complete") {
      const [httpStatus, type] =
        error?.code === "rate-limited" ? [429, "rate_limit_error"] : [502, "server_error"];
      const message = error?.message ?? "The answer was interrupted.";
      throw new ProgramError(httpStatus, type, error?.code ?? "interrupted", message, null);
    }
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

function wire({ id, name, input }: Choice["calls"][number]): JsonRecord {
  return { id, type: "function", function: { name, arguments: input } };
}

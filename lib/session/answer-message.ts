import { InvalidArgumentError } from "./errors";
import {
  isToolPart,
  type NewMessage,
  type SessionMessage,
  type SessionMessagePart,
} from "./message";
import type { MaybePromise } from "./session-provider";

/** A part of what a model gave, such as those of `content` of a step. */
export interface AnswerPart {
  readonly type: string;
}

export interface AnswerUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** One of the `steps` of `generateText` and `streamText`. */
export interface AnswerStep {
  readonly content: readonly AnswerPart[];
  readonly callId?: string | undefined;
  readonly usage?: AnswerUsage | undefined;
  readonly response?: { readonly modelId?: string | undefined } | undefined;
}

/** One of the `response.messages` of `generateText` and `streamText`. */
export interface AnswerModelMessage {
  readonly role: "assistant" | "tool";
  readonly content: string | readonly AnswerPart[];
}

/**
 * A result of `generateText` or `streamText`, its steps, its response or the messages of that, or an assistant's
 * `UIMessage`.
 */
export type Answer =
  | { readonly steps: PromiseLike<readonly AnswerStep[]> | readonly AnswerStep[] }
  | readonly AnswerStep[]
  | readonly AnswerModelMessage[]
  | { readonly messages: readonly AnswerModelMessage[] }
  | NewMessage;

interface AnswerMessageOptions {
  readonly id?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Waits until a stream has ended. @throws {InvalidArgumentError} for anything that is no answer. */
export async function answerMessage(
  answer: Answer,
  { id, metadata }: AnswerMessageOptions = {},
): Promise<SessionMessage> {
  const read = await readAnswer(answer);
  const merged = { ...read.metadata, ...metadata };
  return {
    id: id ?? (read.id?.trim() ? read.id : idOf(answer)),
    role: "assistant",
    parts: read.parts,
    ...(Object.keys(merged).length > 0 && { metadata: merged }),
  };
}

const idsByAnswer = new WeakMap<object, string>();

/** A retry gets the same id, and appends nothing. */
function idOf(answer: object): string {
  const id = idsByAnswer.get(answer) ?? crypto.randomUUID();
  idsByAnswer.set(answer, id);
  return id;
}

interface ReadAnswer {
  readonly parts: readonly SessionMessagePart[];
  readonly id?: string | undefined;
  readonly metadata?: object | undefined;
}

function readAnswer(answer: Answer): MaybePromise<ReadAnswer> {
  if (Array.isArray(answer)) return readList(answer as readonly object[]);
  if (typeof answer === "object" && answer !== null) {
    if ("parts" in answer && Array.isArray(answer.parts)) return readMessage(answer);
    if ("steps" in answer) return Promise.resolve(answer.steps).then(readSteps);
    if ("messages" in answer) return readList(answer.messages);
  }
  throw notAnAnswer();
}

function notAnAnswer(): InvalidArgumentError {
  return new InvalidArgumentError(
    "An answer is a result of generateText or streamText, its steps or messages, or an assistant's UIMessage.",
  );
}

function readMessage({ id, role, parts, metadata }: NewMessage): ReadAnswer {
  if (role !== "assistant") throw notAnAnswer();
  const fields = typeof metadata === "object" && metadata !== null ? metadata : undefined;
  return { id, parts: parts as readonly SessionMessagePart[], metadata: fields };
}

function readList(list: readonly object[]): ReadAnswer {
  const isListOfObjects =
    Array.isArray(list) && list.every((each) => typeof each === "object" && each !== null);
  if (!isListOfObjects) throw notAnAnswer();
  if (list.length > 0 && list.every(isModelMessage)) {
    return { parts: partsOf([list.flatMap(contentOf)], unwrapped) };
  }
  if (list.length > 0 && list.every(isStep)) return readSteps(list);
  throw notAnAnswer();
}

function isModelMessage(each: object): each is AnswerModelMessage {
  return "role" in each && (each.role === "assistant" || each.role === "tool");
}

function isStep(each: object): each is AnswerStep {
  return "content" in each && Array.isArray(each.content);
}

function contentOf({ content }: AnswerModelMessage): readonly AnswerPart[] {
  return typeof content === "string" ? [{ type: "text", text: content } as AnswerPart] : content;
}

function readSteps(steps: readonly AnswerStep[]): ReadAnswer {
  if (!Array.isArray(steps) || !steps.every(isStep)) throw notAnAnswer();
  const last: AnswerStep | undefined = steps.at(-1);
  const model = last?.response?.modelId;
  const inputTokens = sumOf(steps.map(({ usage }) => usage?.inputTokens));
  const outputTokens = sumOf(steps.map(({ usage }) => usage?.outputTokens));
  return {
    id: last?.callId,
    parts: partsOf(
      steps.map(({ content }) => content),
      available,
    ),
    metadata: {
      ...(model !== undefined && { model }),
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
    },
  };
}

function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length > 0 ? known.reduce((sum, count) => sum + count, 0) : undefined;
}

/** The AI SDK's content and model messages differ in a few names. */
interface ContentFields {
  readonly type: string;
  readonly text?: string;
  readonly kind?: string;
  readonly toolName?: string;
  readonly toolCallId?: string | undefined;
  readonly dynamic?: boolean;
  readonly invalid?: boolean;
  readonly providerExecuted?: boolean;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly approvalId?: string;
  readonly toolCall?: { readonly toolCallId: string };
  readonly file?: { readonly mediaType: string; readonly base64: string };
  readonly data?: unknown;
  readonly mediaType?: string;
  readonly filename?: string;
  readonly sourceType?: string;
  readonly id?: string;
  readonly url?: string;
  readonly title?: string;
  readonly providerMetadata?: unknown;
  readonly providerOptions?: unknown;
}

function partsOf(
  steps: readonly (readonly AnswerPart[])[],
  resultOf: (output: unknown) => Outcome,
): SessionMessagePart[] {
  const parts: SessionMessagePart[] = [];
  for (const content of steps) {
    if (steps.length > 1) parts.push({ type: "step-start" });
    for (const each of content) addPart(parts, each, resultOf);
  }
  return parts;
}

function addPart(
  parts: SessionMessagePart[],
  field: ContentFields,
  resultOf: (output: unknown) => Outcome,
): void {
  switch (field.type) {
    case "text":
    case "reasoning":
      parts.push({ type: field.type, text: field.text ?? "", ...metadataOf(field) });
      return;
    case "custom":
      parts.push({ type: "custom", kind: field.kind, ...metadataOf(field) });
      return;
    case "file":
    case "reasoning-file":
      parts.push(...filePart(field));
      return;
    case "source":
      parts.push(sourcePart(field));
      return;
    case "tool-call":
      parts.push(callPart(field));
      return;
    case "tool-result":
      settle(parts, field, resultOf(field.output));
      return;
    case "tool-error":
      settle(parts, field, failed(field.error));
      return;
    case "tool-approval-request":
      settle(
        parts,
        { ...field, toolCallId: field.toolCallId ?? field.toolCall?.toolCallId },
        {
          state: "approval-requested",
          approval: { id: field.approvalId },
        },
      );
      return;
    default:
    // Other kinds have no part of a message.
  }
}

function metadataOf({ providerMetadata, providerOptions }: ContentFields): object {
  const own = providerMetadata ?? providerOptions;
  return own === undefined ? {} : { providerMetadata: own };
}

function filePart({
  type: kind,
  file,
  data,
  mediaType,
  filename,
}: ContentFields): SessionMessagePart[] {
  const type = file?.mediaType ?? mediaType ?? "application/octet-stream";
  const content = file?.base64 ?? data;
  const url = content instanceof URL ? content.href : content;
  if (typeof url !== "string") return [];
  const isLink = /^(data|https?):/.test(url);
  return [
    {
      type: kind,
      mediaType: type,
      url: isLink ? url : `data:${type};base64,${url}`,
      ...(filename !== undefined && { filename }),
    },
  ];
}

function sourcePart({ sourceType, id, url, title, mediaType, filename }: ContentFields) {
  return sourceType === "url"
    ? { type: "source-url", sourceId: id, url, ...(title !== undefined && { title }) }
    : { type: "source-document", sourceId: id, mediaType, title, filename };
}

function callPart(call: ContentFields): SessionMessagePart {
  const { toolName = "", toolCallId, input, dynamic, invalid, providerExecuted } = call;
  const { providerMetadata: callProviderMetadata } = metadataOf(call) as ContentFields;
  return {
    ...(dynamic ? { type: "dynamic-tool", toolName } : { type: `tool-${toolName}` }),
    toolCallId,
    input: input ?? {},
    ...(invalid ? failed(call.error) : { state: "input-available" }),
    ...(providerExecuted && { providerExecuted }),
    ...(callProviderMetadata !== undefined && { callProviderMetadata }),
  };
}

type Outcome = Readonly<Record<string, unknown>> & { readonly state: string };

/** A result of an earlier message's call becomes a part of its own. */
function settle(parts: SessionMessagePart[], field: ContentFields, outcome: Outcome): void {
  const at = parts.findLastIndex(
    (part) => isToolPart(part) && part.toolCallId === field.toolCallId,
  );
  const call = parts[at];
  if (call) parts[at] = { ...call, ...outcome };
  else if (field.toolName !== undefined) parts.push({ ...callPart(field), ...outcome });
}

function failed(error: unknown): Outcome {
  const text = error instanceof Error ? error.message : error;
  return {
    state: "output-error",
    errorText: typeof text === "string" ? text : (JSON.stringify(text) ?? "Unknown error"),
  };
}

function available(output: unknown): Outcome {
  return { state: "output-available", output: output ?? null };
}

function unwrapped(output: unknown): Outcome {
  const { type, value, reason } =
    typeof output === "object" && output !== null ? (output as Partial<WrappedOutput>) : {};
  switch (type) {
    case "text":
    case "json":
    case "content":
      return available(value);
    case "error-text":
    case "error-json":
      return failed(value);
    case "execution-denied":
      return failed(reason ?? "The call was not approved.");
    default:
      return available(output);
  }
}

interface WrappedOutput {
  readonly type: string;
  readonly value: unknown;
  readonly reason: string;
}

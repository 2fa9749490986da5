import {
  convertToModelMessages,
  type FinishReason,
  isStepCount,
  type LanguageModelUsage,
  type ModelMessage,
  experimental_streamTextLowMemory as streamText,
  type TextStreamPart,
  type ToolSet,
  toUIMessageChunk,
  type UIMessage,
  type UIMessageChunk,
  wrapLanguageModel,
} from "ai";
import {
  SessionError,
  type SessionMessage,
  type SessionMessagePart,
  type StoredMessage,
} from "grove-session";
import { ChatError } from "@/lib/chat/core/chat-error";
import {
  type FileSource,
  splitResultFiles,
  withFileBytes,
  withFileTexts,
} from "@/lib/chat/files/given-files";
import { Breaks } from "@/lib/chat/runs/breaks";
import { withDenialsTold } from "@/lib/chat/runs/pause";
import { shortenedTools } from "@/lib/chat/sessions/model-input";
import type { LaterTools } from "@/lib/chat/tools/later-tools";
import {
  AnswerLimiter,
  type AnswerLimits,
  askWithout,
  countIn,
  DirectText,
  deltaJoining,
  describeModelError,
  type Feature,
  type FeatureRefusal,
  groveOptions,
  type ModelErrorDescription,
  type ModelParameters,
  partRepairing,
  plainCallErrors,
  type ReachedLimit,
  type ResolvedModel,
  redactSecrets,
  reportedUsage,
} from "@/lib/llm";
import { WrongFormatError } from "./answer-format";
import type { Reported } from "./ended";
import type { CallSettings } from "./program-call";

export interface ModelCall {
  readonly model: ResolvedModel["model"];
  readonly instructions: string;
  readonly messages: readonly StoredMessage[];
  readonly tools: ToolSet;
  readonly later?: LaterTools | undefined;
  readonly attached?: FileSource | undefined;
  readonly asks?: ReadonlySet<string> | undefined;
  readonly signal: AbortSignal;
  readonly variation: number;
  readonly limits: AnswerLimits & { readonly maxSteps: number };
  readonly settings?: CallSettings | undefined;
  readonly onRefusal?: ((refusal: FeatureRefusal) => void) | undefined;
  readonly keeps?: readonly Feature[] | undefined;
  readonly showText?: ((chunk: UIMessageChunk) => void) | undefined;
}

export interface ModelOutcome {
  finishReason: FinishReason | null;
  usage: LanguageModelUsage | undefined;
  firstInputTokens: number | undefined;
  error: unknown;
  aborted: boolean;
  limit: ReachedLimit | null;
}

export function noOutcome(): ModelOutcome {
  return {
    finishReason: null,
    usage: undefined,
    firstInputTokens: undefined,
    error: null,
    aborted: false,
    limit: null,
  };
}

export class UnreadInputError extends Error {
  override readonly name = "UnreadInputError";
}

interface SentTokens {
  readonly messages: number;
  readonly tools: number;
}

interface KnownAtEnd extends Pick<Reported, "thoughtMs" | "leftOut"> {
  readonly sent?: ModelParameters | undefined;
  /** A question without a history, which compacting could not shorten. */
  readonly first?: SentTokens | undefined;
}

export function reportOf(
  { error, finishReason, usage, firstInputTokens, limit }: ModelOutcome,
  { sent = {}, first, ...known }: KnownAtEnd,
): Reported {
  const described = (error ?? null) === null ? null : describeError(error, sent);
  const isFirst = first !== undefined && described?.code === "context-overflow";
  const problem = isFirst ? { ...described, message: firstTooLong(first) } : described;
  const at = new Date().toISOString();
  return { type: "reported", at, finishReason, usage, firstInputTokens, limit, problem, ...known };
}

function describeError(error: unknown, sent: ModelParameters): ModelErrorDescription {
  if (error instanceof WrongFormatError)
    return { code: "wrong-format", message: error.message, retryable: true };
  if (!(error instanceof UnreadInputError)) return describeModelError(error, { sent });
  const { cause } = error;
  const isSaid = cause instanceof SessionError || cause instanceof ChatError;
  return isSaid ? { ...unread, message: cause.message } : unread;
}

/** Grove's own tools take less, and are no reason for a window to be full. */
const manyTokens = 2_000;

function firstTooLong({ messages, tools }: SentTokens): string {
  const size = `about ${tools.toLocaleString("en")} tokens`;
  return tools > Math.max(messages, manyTokens)
    ? `This message does not fit in the model's context window, of which tools take ${size}. Turn some off in Settings, Connections, or choose a model with a larger one.`
    : "This message does not fit in the model's context window. Shorten it or choose a model with a larger one.";
}

const unread: ModelErrorDescription = {
  code: "unread",
  message:
    "Grove could not read this chat, so nothing was sent to the model. Try again; the server's log says more.",
  retryable: true,
};

/** Never throws: when a provider hangs up, the SDK's iteration throws without calling its callbacks. */
export async function* streamModel(
  call: ModelCall,
  outcome: ModelOutcome,
): AsyncGenerator<UIMessageChunk> {
  const { limits } = call;
  const { providerOptions: given, ...settings } = call.settings ?? {};
  const limiter = new AnswerLimiter(limits);
  const breaks = new Breaks();
  const direct = call.showText && new DirectText(call.showText);
  const tools = allTools(call);
  try {
    const { stream } = streamText({
      model: wrapLanguageModel({
        model: call.model,
        middleware: [
          deltaJoining,
          ...(direct ? [direct.middleware] : []),
          limiter.middleware,
          partRepairing,
          askWithout({ keeps: call.keeps, onRefusal: call.onRefusal ?? (() => undefined) }),
        ],
      }),
      ...(call.instructions !== "" && { instructions: call.instructions }),
      messages: await modelMessages(call),
      tools: shortenedTools(tools),
      ...(call.later && { prepareStep: () => ({ activeTools: sentNow(call) }) }),
      repairToolCall: plainCallErrors,
      toolApproval: Object.fromEntries(
        [...(call.asks ?? [])].map((name) => [name, "user-approval" as const]),
      ),
      ...settings,
      stopWhen: async (state) => {
        if (await isStepCount(limits.maxSteps)(state)) outcome.limit = "maxSteps";
        return outcome.limit !== null || limiter.reached !== null;
      },
      abortSignal: call.signal,
      maxRetries: 0,
      providerOptions: {
        ...given,
        grove: { ...given?.grove, ...groveOptions({ variation: call.variation }).grove },
      },
      onError: () => undefined,
    });
    const chunkOf = chunkMaker(tools);
    for await (const part of stream) {
      note(part, outcome);
      const unshown = direct ? direct.unshown(part) : part;
      const chunk = unshown && chunkOf(unshown);
      if (chunk) yield chunk;
      direct?.afterShowing(part);
      if (breaks.isDue) await breaks.take();
    }
  } catch (error) {
    outcome.error ??= error;
  } finally {
    direct?.end();
  }
  outcome.limit ??= limiter.reached;
  outcome.aborted ||= call.signal.aborted;
}

function allTools({ tools, later }: ModelCall): ToolSet {
  return { ...later?.tools, ...tools };
}

function sentNow({ tools, later }: ModelCall): string[] {
  return [...Object.keys(tools), ...(later?.found ?? [])];
}

/** Files are read here, so that nothing holds them longer than the call. */
async function modelMessages(call: ModelCall): Promise<ModelMessage[]> {
  const { messages, attached } = call;
  const read = attached ? await readFiles(withFileTexts(messages, attached)) : messages;
  const { messages: alone, ofResults } = splitResultFiles(read);
  const converted = await convertedMessages(alone.map(withDenialsTold), allTools(call));
  return attached ? readFiles(withFileBytes(converted, attached, ofResults)) : converted;
}

/** Equals the SDK's conversion, which copies each message several times. */
export async function convertedMessages(
  messages: readonly SessionMessage[],
  tools: ToolSet,
): Promise<ModelMessage[]> {
  const converted: ModelMessage[] = [];
  const lastQuestion = messages.findLastIndex(({ role }) => role === "user");
  let others: SessionMessage[] = [];
  const convertOthers = async (isBeforeQuestion: boolean) => {
    const given = isBeforeQuestion ? [...others, emptyQuestion] : others;
    const all = await convertToModelMessages(given as unknown as UIMessage[], {
      tools,
      ignoreIncompleteToolCalls: true,
    });
    converted.push(...(isBeforeQuestion ? all.slice(0, -1) : all));
    others = [];
  };
  for (const [index, message] of messages.entries()) {
    const plain = plainMessage(message);
    if (!plain) others.push(message);
    else {
      if (others.length > 0) await convertOthers(index <= lastQuestion);
      converted.push(plain);
    }
  }
  if (others.length > 0) await convertOthers(false);
  return converted;
}

const emptyQuestion: SessionMessage = { id: "", role: "user", parts: [] };

function plainMessage({ role, parts }: SessionMessage): ModelMessage | null {
  if (role === "system" || parts.length === 0 || !parts.every(isPlainText)) return null;
  return { role, content: parts.map(({ text }) => ({ type: "text", text: text as string })) };
}

function isPlainText({ type, text, providerMetadata }: SessionMessagePart): boolean {
  return type === "text" && typeof text === "string" && providerMetadata === undefined;
}

async function readFiles<Read>(reading: Promise<Read>): Promise<Read> {
  try {
    return await reading;
  } catch (cause) {
    throw new UnreadInputError("The files of a chat could not be read.", { cause });
  }
}

function chunkMaker(tools: ToolSet): (part: TextStreamPart<ToolSet>) => UIMessageChunk | null {
  const invalidCalls = new Set<string>();
  return (part) => {
    // The run reports these after the answer is stored.
    if (part.type === "error" || part.type === "abort") return null;
    if (part.type === "tool-call" && part.invalid) invalidCalls.add(part.toolCallId);
    if (
      part.type === "tool-error" &&
      !part.providerExecuted &&
      invalidCalls.delete(part.toolCallId)
    )
      return null;
    const shown = { sendStart: false, sendSources: true, sendFinish: false };
    return toUIMessageChunk(part, { tools, ...shown, onError: errorText }) ?? null;
  };
}

function note(part: TextStreamPart<ToolSet>, outcome: ModelOutcome): void {
  if (part.type === "finish-step") outcome.firstInputTokens ??= countIn(part.usage.inputTokens);
  if (part.type === "finish") {
    outcome.finishReason = part.finishReason;
    outcome.usage = reportedUsage(part.totalUsage);
  }
  if (part.type === "error") outcome.error ??= part.error;
  if (part.type === "abort") outcome.aborted = true;
}

function errorText(error: unknown): string {
  return redactSecrets(error instanceof Error ? error.message : String(error));
}

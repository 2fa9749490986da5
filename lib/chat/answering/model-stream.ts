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
import { type FileSource, withFileBytes, withFileTexts } from "@/lib/chat/files/given-files";
import { Breaks } from "@/lib/chat/runs/breaks";
import { shortenedTools } from "@/lib/chat/sessions/model-input";
import {
  AnswerLimiter,
  type AnswerLimits,
  askWithout,
  countIn,
  DirectText,
  deltaJoining,
  type Feature,
  groveOptions,
  partRepairing,
  plainCallErrors,
  type ReachedLimit,
  type Refusal,
  type ResolvedModel,
  redactSecrets,
  reportedUsage,
} from "@/lib/llm";
import type { SessionMessage, SessionMessagePart, StoredMessage } from "@/lib/session";
import type { CallSettings } from "./program-call";

export interface ModelCall {
  readonly model: ResolvedModel["model"];
  readonly instructions: string;
  readonly messages: readonly StoredMessage[];
  readonly tools: ToolSet;
  /** For the files that messages name. */
  readonly attached?: FileSource | undefined;
  /** Names of tools that wait for the person before each call. */
  readonly asks?: ReadonlySet<string> | undefined;
  readonly signal: AbortSignal;
  /** Lets the demo vary its answers. */
  readonly variation: number;
  readonly limits: AnswerLimits & { readonly maxSteps: number };
  readonly settings?: CallSettings | undefined;
  /** Called for each thing that the server refuses, before it is asked without. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
  /** Never left out. */
  readonly keeps?: readonly Feature[] | undefined;
  /** Takes most text, instead of the stream. */
  readonly showText?: ((chunk: UIMessageChunk) => void) | undefined;
}

export interface ModelOutcome {
  /** `null` when the stream broke off. */
  finishReason: FinishReason | null;
  usage: LanguageModelUsage | undefined;
  /** Before any tool call. */
  firstInputTokens: number | undefined;
  error: unknown;
  aborted: boolean;
  /** Ended the answer before the model did. */
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

/** Nothing was sent to the model. */
export class UnreadInputError extends Error {
  override readonly name = "UnreadInputError";
}

/**
 * The outcome is complete once the chunks end. Never throws: a provider that hangs up makes iterating throw without
 * calling the SDK's callbacks.
 */
export async function* streamModel(
  call: ModelCall,
  outcome: ModelOutcome,
): AsyncGenerator<UIMessageChunk> {
  const { limits } = call;
  const { providerOptions: given, ...settings } = call.settings ?? {};
  const limiter = new AnswerLimiter(limits);
  const breaks = new Breaks();
  const direct = call.showText && new DirectText(call.showText);
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
      tools: shortenedTools(call.tools),
      repairToolCall: plainCallErrors,
      toolApproval: Object.fromEntries(
        [...(call.asks ?? [])].map((name) => [name, "user-approval" as const]),
      ),
      ...settings,
      // Asked only after a step with tool calls.
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
    const chunkOf = chunkMaker(call.tools);
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

/** Bytes and texts of files are read here, so that nothing holds them longer than the call. */
async function modelMessages({ messages, tools, attached }: ModelCall): Promise<ModelMessage[]> {
  const read = attached ? await readFiles(withFileTexts(messages, attached)) : messages;
  const converted = await convertedMessages(read, tools);
  return attached ? readFiles(withFileBytes(converted, attached)) : converted;
}

/** As the SDK converts them, which copies each several times, though most are plain texts. */
export async function convertedMessages(
  messages: readonly SessionMessage[],
  tools: ToolSet,
): Promise<ModelMessage[]> {
  const converted: ModelMessage[] = [];
  const lastQuestion = messages.findLastIndex(({ role }) => role === "user");
  let others: SessionMessage[] = [];
  const convertOthers = async (isBeforeQuestion: boolean) => {
    // Approvals before the last question are over.
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

/** As `toUIMessageStream` of the SDK makes them, without its streams. */
function chunkMaker(tools: ToolSet): (part: TextStreamPart<ToolSet>) => UIMessageChunk | null {
  const invalidCalls = new Set<string>();
  return (part) => {
    // The run reports these after the answer is stored.
    if (part.type === "error" || part.type === "abort") return null;
    if (part.type === "tool-call" && part.invalid) invalidCalls.add(part.toolCallId);
    // Such a call has said what is wrong with it.
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

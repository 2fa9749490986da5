import {
  convertToModelMessages,
  type FinishReason,
  isStepCount,
  type LanguageModel,
  type LanguageModelUsage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  toUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from "ai";
import { groveOptions } from "@/lib/llm";
import type { StoredMessage } from "@/lib/session";
import { shortenedTools } from "./model-input";

export interface ModelCall {
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly messages: readonly StoredMessage[];
  readonly tools: ToolSet;
  readonly signal: AbortSignal;
  /** Lets the demo vary its answers. */
  readonly variation: number;
  readonly maxSteps: number;
  /** Calls beyond it fail, and no step follows. */
  readonly maxToolCalls: number;
}

export interface ModelOutcome {
  /** `null` when the stream broke off. */
  finishReason: FinishReason | null;
  usage: LanguageModelUsage | undefined;
  /** Before any tool call. */
  firstInputTokens: number | undefined;
  error: unknown;
  aborted: boolean;
  /** Stopped after a step with tool calls, before the model could continue. */
  limited: boolean;
}

/**
 * The outcome is complete once the chunks end. Never throws: a provider that hangs up makes iterating throw without
 * calling the SDK's callbacks.
 */
export async function* streamModel(
  call: ModelCall,
  outcome: ModelOutcome,
): AsyncGenerator<UIMessageChunk> {
  const limited = limitCalls(shortenedTools(call.tools), call.maxToolCalls);
  try {
    const { stream } = streamText({
      model: call.model,
      instructions: call.instructions,
      messages: await convertToModelMessages(call.messages as unknown as UIMessage[], {
        tools: call.tools,
        ignoreIncompleteToolCalls: true,
      }),
      tools: limited.tools,
      // Asked only after a step with tool calls.
      stopWhen: async (state) => {
        outcome.limited = limited.isReached() || (await isStepCount(call.maxSteps)(state));
        return outcome.limited;
      },
      abortSignal: call.signal,
      maxRetries: 0,
      providerOptions: groveOptions({ variation: call.variation }),
      onError: () => undefined,
    });
    const chunks = toUIMessageStream({
      stream: stream.pipeThrough(watch(outcome)),
      tools: call.tools,
      sendStart: false,
      sendFinish: false,
      onError: errorText,
    });
    for await (const chunk of chunks) {
      // The run reports these after the answer is stored.
      if (chunk.type !== "error" && chunk.type !== "abort") yield chunk;
    }
  } catch (error) {
    outcome.error ??= error;
  }
  outcome.aborted ||= call.signal.aborted;
}

function watch(
  outcome: ModelOutcome,
): TransformStream<TextStreamPart<ToolSet>, TextStreamPart<ToolSet>> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type === "finish-step") outcome.firstInputTokens ??= part.usage.inputTokens;
      if (part.type === "finish") {
        outcome.finishReason = part.finishReason;
        outcome.usage = part.totalUsage;
      }
      if (part.type === "error") outcome.error ??= part.error;
      if (part.type === "abort") outcome.aborted = true;
      controller.enqueue(part);
    },
  });
}

function limitCalls(tools: ToolSet, limit: number): { tools: ToolSet; isReached: () => boolean } {
  let calls = 0;
  const limited = Object.entries(tools).map(([name, tool]): [string, ToolSet[string]] => {
    const { execute } = tool;
    if (!execute) return [name, tool];
    const counted: typeof execute = (input, options) => {
      calls++;
      if (calls > limit) throw new Error(`An answer may call tools ${limit} times.`);
      return execute(input, options);
    };
    return [name, { ...tool, execute: counted } as ToolSet[string]];
  });
  return { tools: Object.fromEntries(limited), isReached: () => calls >= limit };
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

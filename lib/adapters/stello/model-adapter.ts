import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  streamText,
  type ToolSet,
  tool,
} from "ai";
import { parsedCall, type WrittenCall } from "./answer";
import type {
  LLMAdapter,
  LLMChunk,
  LLMCompleteOptions,
  LLMResult,
  Message,
  TokenUsage,
  ToolDefinition,
} from "./types";

export interface ModelAdapterOptions {
  maxContextTokens: number;
  maxOutputTokens?: number | undefined;
}

/** An adapter for any model of the AI SDK; a function is called before each use. */
export function createModelAdapter(
  model: LanguageModel | (() => LanguageModel | Promise<LanguageModel>),
  { maxContextTokens, maxOutputTokens }: ModelAdapterOptions,
): LLMAdapter {
  const callOf = async (messages: readonly Message[], options: LLMCompleteOptions) => ({
    ...promptOf(messages),
    model: typeof model === "function" ? await model() : model,
    tools: toolsOf(options.tools ?? []),
    ...settingsOf({ maxTokens: maxOutputTokens, ...options }),
  });
  return {
    maxContextTokens,
    async complete(messages, options = {}): Promise<LLMResult> {
      const { text, toolCalls, usage } = await generateText(await callOf(messages, options));
      return {
        content: text === "" && toolCalls.length > 0 ? null : text,
        ...(toolCalls.length > 0 && { toolCalls: toolCalls.map(writtenCall).map(parsedCall) }),
        ...usageOf(usage),
      };
    },
    async *stream(messages, options = {}): AsyncIterable<LLMChunk> {
      let index = 0;
      // The error is thrown below; by default it would be logged as well.
      const call = { ...(await callOf(messages, options)), onError: () => {} };
      for await (const part of streamText(call).stream) {
        if (part.type === "error") throw part.error;
        if (part.type === "abort") throw options.signal?.reason;
        if (part.type === "text-delta") yield { delta: part.text };
        if (part.type === "tool-call")
          yield { delta: "", toolCallDeltas: [{ index: index++, ...writtenCall(part) }] };
        if (part.type === "finish") yield { delta: "", ...usageOf(part.totalUsage) };
      }
    },
  };
}

interface ModelToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** The AI SDK passes on broken JSON as text. */
function writtenCall({ toolCallId: id, toolName: name, input }: ModelToolCall): WrittenCall {
  return { id, name, input: typeof input === "string" ? input : JSON.stringify(input) };
}

function usageOf({ inputTokens, outputTokens }: LanguageModelUsage): { usage?: TokenUsage } {
  if (inputTokens === undefined || outputTokens === undefined) return {};
  return { usage: { promptTokens: inputTokens, completionTokens: outputTokens } };
}

function settingsOf({ maxTokens, temperature, signal }: LLMCompleteOptions) {
  return {
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(signal && { abortSignal: signal }),
  };
}

function toolsOf(definitions: readonly ToolDefinition[]): ToolSet {
  return Object.fromEntries(
    definitions.map(({ name, description, inputSchema: schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema) }),
    ]),
  );
}

/** Some providers refuse system messages between others. */
function promptOf(messages: readonly Message[]): {
  readonly instructions?: string;
  readonly messages: ModelMessage[];
} {
  const instructions = messages.flatMap(({ role, content }) =>
    role === "system" ? [content] : [],
  );
  const names = new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name] as const)),
  );
  return {
    ...(instructions.length > 0 && { instructions: instructions.join("\n\n") }),
    messages: messages.flatMap((message) => modelMessages(message, names)),
  };
}

function modelMessages(
  { role, content, toolCalls = [], toolCallId = "" }: Message,
  names: ReadonlyMap<string, string>,
): ModelMessage[] {
  switch (role) {
    case "system":
      return [];
    case "user":
      return [{ role, content }];
    case "assistant": {
      const text = content === "" ? [] : [{ type: "text" as const, text: content }];
      const calls = toolCalls.map(({ id, name, input }) => ({
        type: "tool-call" as const,
        toolCallId: id,
        toolName: name,
        input,
      }));
      return text.length + calls.length > 0 ? [{ role, content: [...text, ...calls] }] : [];
    }
    case "tool": {
      const toolName = names.get(toolCallId) ?? "unknown";
      const output = { type: "text" as const, value: content };
      return [{ role, content: [{ type: "tool-result", toolCallId, toolName, output }] }];
    }
  }
}

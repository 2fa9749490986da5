import { z } from "zod";
import { InvalidArgumentError } from "../../session";
import type {
  LLMAdapter,
  LLMChunk,
  LLMCompleteOptions,
  LLMResult,
  Message,
  StreamResult,
  ToolCall,
} from "./types";

export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

const inputSchema = z.record(z.string(), z.unknown());

interface Question {
  readonly llm: LLMAdapter;
  readonly context: Message[];
  readonly options: LLMCompleteOptions;
}

export async function answerOf(
  { llm, context, options }: Question,
  push: (text: string) => void,
): Promise<LLMResult> {
  if (!llm.stream) {
    const result = await llm.complete(context, options);
    if (result.content) push(result.content);
    return result;
  }
  const calls = new Map<number, WrittenCall>();
  let text = "";
  let usage: LLMChunk["usage"];
  for await (const chunk of llm.stream(context, options)) {
    text += chunk.delta;
    if (chunk.delta !== "") push(chunk.delta);
    usage = chunk.usage ?? usage;
    for (const { index, id = "", name = "", input = "" } of chunk.toolCallDeltas ?? []) {
      const call = calls.get(index) ?? { id: "", name: "", input: "" };
      calls.set(index, { id: call.id + id, name: call.name + name, input: call.input + input });
    }
  }
  const toolCalls = [...calls.values()].map(parsedCall);
  return {
    content: text === "" && toolCalls.length > 0 ? null : text,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(usage && { usage }),
  };
}

/** @throws {InvalidArgumentError} for an input that is no JSON object; an empty one has no fields. */
export function parsedCall({ id, name, input }: WrittenCall): ToolCall {
  const { success, data } = inputSchema.safeParse(jsonOf(name, input));
  if (success) return { id, name, input: data };
  throw new InvalidArgumentError(`The model called ${name} with something other than an object.`);
}

function jsonOf(name: string, text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch (cause) {
    throw new InvalidArgumentError(`The model called ${name} with broken JSON.`, { cause });
  }
}

/** Runs at once, read or not. An error reaches the reader of the text as well as that of `result`. */
export function streamed(run: (push: (text: string) => void) => Promise<LLMResult>): StreamResult {
  let controller: ReadableStreamDefaultController<string> | null = null;
  const texts = new ReadableStream<string>({
    start: (opened) => {
      controller = opened;
    },
    cancel: () => {
      controller = null;
    },
  });
  const result = run((text) => controller?.enqueue(text));
  void result.then(
    () => controller?.close(),
    (error: unknown) => controller?.error(error),
  );
  return { result, [Symbol.asyncIterator]: () => texts[Symbol.asyncIterator]() };
}

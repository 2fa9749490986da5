import { InvalidArgumentError } from "@/lib/session";
import type {
  LLMAdapter,
  LLMChunk,
  LLMCompleteOptions,
  LLMResult,
  Message,
  StreamResult,
  ToolCall,
} from "./types";

interface Question {
  readonly llm: LLMAdapter;
  readonly context: Message[];
  readonly options: LLMCompleteOptions;
}

/** Passes on text as it arrives. A model that does not stream gives it all at once. */
export async function answerOf(
  { llm, context, options }: Question,
  push: (text: string) => void,
): Promise<LLMResult> {
  if (!llm.stream) {
    const result = await llm.complete(context, options);
    if (result.content) push(result.content);
    return result;
  }
  const calls = new Map<number, { id: string; name: string; input: string }>();
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

function parsedCall({ id, name, input }: { id: string; name: string; input: string }): ToolCall {
  return { id, name, input: inputOf(name, input) };
}

function inputOf(name: string, text: string): Record<string, unknown> {
  try {
    const input: unknown = text === "" ? {} : JSON.parse(text);
    if (typeof input === "object" && input !== null) return { ...input };
  } catch (cause) {
    throw new InvalidArgumentError(`The model called ${name} with broken JSON.`, { cause });
  }
  throw new InvalidArgumentError(`The model called ${name} with something other than an object.`);
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

import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { type Output, transformStream } from "./transform-stream";

type Part = LanguageModelV4StreamPart;

/** Opens a text or thought for a delta without a start, and drops an end without one: the SDK would fail, and lose it. */
export const partRepairing: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  wrapStream: async ({ doStream }) => {
    const result = await doStream();
    return { ...result, stream: wellFormedParts(result.stream) };
  },
};

export function wellFormedParts(stream: ReadableStream<Part>): ReadableStream<Part> {
  const open = { text: new Set<string>(), reasoning: new Set<string>() };
  const transform = (part: Part, output: Output<Part>) => {
    const [, kind, moment] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? [];
    if ((kind !== "text" && kind !== "reasoning") || !("id" in part)) return output.enqueue(part);
    const ids = open[kind];
    if (moment === "end" && !ids.delete(part.id)) return;
    if (moment === "delta" && !ids.has(part.id))
      output.enqueue({ type: `${kind}-start`, id: part.id });
    if (moment !== "end") ids.add(part.id);
    output.enqueue(part);
  };
  return transformStream(stream, { transform });
}

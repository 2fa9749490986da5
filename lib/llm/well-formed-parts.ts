import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import type { StreamPart } from "./stream-parts";
import { type Output, transformStream } from "./transform-stream";

/** The SDK would fail on a delta without a start, or an end without one, and lose the text. */
export const partRepairing: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  wrapStream: async ({ doStream }) => {
    const result = await doStream();
    return { ...result, stream: wellFormedParts(result.stream) };
  },
};

export function wellFormedParts(stream: ReadableStream<StreamPart>): ReadableStream<StreamPart> {
  const open = { text: new Set<string>(), reasoning: new Set<string>() };
  const transform = (part: StreamPart, output: Output<StreamPart>) => {
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

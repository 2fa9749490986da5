import { setImmediate } from "node:timers/promises";
import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from "@ai-sdk/provider";

import { sourceOf, streamOf } from "./transform-stream";

type Part = LanguageModelV4StreamPart;
type Delta = Extract<Part, { delta: string }>;

const longestMs = 10;

/**
 * Joins the deltas that a provider sends within one turn of the event loop: for each delta the SDK keeps times, which it
 * sorts when the answer ends, 230 ms for a million.
 */
export const deltaJoining: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  wrapStream: async ({ doStream }) => {
    const result = await doStream();
    return { ...result, stream: joinDeltas(result.stream) };
  },
};

export function joinDeltas(stream: ReadableStream<Part>): ReadableStream<Part> {
  const source = sourceOf(stream);
  let reading: ReturnType<typeof source.read> | null = null;
  const read = async (): ReturnType<typeof source.read> => {
    const first = await (reading ?? source.read());
    reading = null;
    if (first.done || !isDelta(first.value)) return first;
    let last = first.value;
    const deltas = [last.delta];
    const turnIsOver = setImmediate(null);
    const since = performance.now();
    while (performance.now() - since < longestMs) {
      reading ??= source.read();
      // A failed read is reported by the next one, after the text before it.
      const next = await Promise.race([reading, turnIsOver]).catch(() => null);
      if (!next || next.done || !isJoinable(last, next.value)) break;
      last = next.value;
      deltas.push(last.delta);
      reading = null;
    }
    return { done: false, value: { ...last, delta: deltas.join("") } };
  };
  return streamOf({ read, cancel: (reason) => source.cancel(reason) });
}

function isDelta(part: Part): part is Delta {
  return (
    part.type === "text-delta" ||
    part.type === "reasoning-delta" ||
    part.type === "tool-input-delta"
  );
}

/** Signatures come with any delta, and joining would keep only the last. */
function isJoinable(first: Delta, second: Part): second is Delta {
  return (
    isDelta(second) &&
    second.type === first.type &&
    second.id === first.id &&
    first.providerMetadata === undefined
  );
}

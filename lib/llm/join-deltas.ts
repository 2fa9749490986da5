import { setImmediate } from "node:timers/promises";
import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import type { Delta, StreamPart } from "./stream-parts";
import { sourceOf, streamOf } from "./transform-stream";

const longestMs = 10;

/** The SDK keeps times of each delta and sorts them at the end: 230 ms for a million. */
export const deltaJoining: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  wrapStream: async ({ doStream }) => {
    const result = await doStream();
    return { ...result, stream: joinDeltas(result.stream) };
  },
};

export function joinDeltas(stream: ReadableStream<StreamPart>): ReadableStream<StreamPart> {
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

function isDelta(part: StreamPart): part is Delta {
  return (
    part.type === "text-delta" ||
    part.type === "reasoning-delta" ||
    part.type === "tool-input-delta"
  );
}

/** Joining deltas would keep only the last signature. */
function isJoinable(first: Delta, second: StreamPart): second is Delta {
  return (
    isDelta(second) &&
    second.type === first.type &&
    second.id === first.id &&
    first.providerMetadata === undefined
  );
}

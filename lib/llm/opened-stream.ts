import type { StreamPart } from "./stream-parts";
import { type Source, sourceOf, streamOf } from "./transform-stream";

export interface OpenedStream {
  readonly stream: ReadableStream<StreamPart>;
  readonly first: StreamPart | null;
}

export async function openStream(stream: ReadableStream<StreamPart>): Promise<OpenedStream> {
  const source = sourceOf(stream);
  const early: StreamPart[] = [];
  const whole = joined(early, source);
  for (let read = await source.read(); !read.done; read = await source.read()) {
    early.push(read.value);
    if (!carriesNothing(read.value)) return { stream: whole, first: read.value };
  }
  return { stream: whole, first: null };
}

function carriesNothing({ type }: StreamPart): boolean {
  switch (type) {
    case "stream-start":
    case "response-metadata":
    case "raw":
    case "custom":
    case "text-start":
    case "text-end":
    case "reasoning-start":
    case "reasoning-end":
      return true;
    default:
      return false;
  }
}

function joined(
  early: readonly StreamPart[],
  source: Source<StreamPart>,
): ReadableStream<StreamPart> {
  let given = 0;
  const read = async (): ReturnType<typeof source.read> => {
    const value = early[given++];
    return value ? { done: false, value } : source.read();
  };
  return streamOf({ read, cancel: (reason) => source.cancel(reason) });
}

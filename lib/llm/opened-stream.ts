import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { type Source, sourceOf, streamOf } from "./transform-stream";

type Part = LanguageModelV4StreamPart;

/** A stream from its beginning, and the first part of it that carries content; `null` when it ended without any. */
export interface OpenedStream {
  readonly stream: ReadableStream<Part>;
  readonly first: Part | null;
}

/** Reads up to the first part that carries content. */
export async function openStream(stream: ReadableStream<Part>): Promise<OpenedStream> {
  const source = sourceOf(stream);
  const early: Part[] = [];
  const whole = joined(early, source);
  for (let read = await source.read(); !read.done; read = await source.read()) {
    early.push(read.value);
    if (!carriesNothing(read.value)) return { stream: whole, first: read.value };
  }
  return { stream: whole, first: null };
}

function carriesNothing({ type }: Part): boolean {
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

function joined(early: readonly Part[], source: Source<Part>): ReadableStream<Part> {
  let given = 0;
  const read = async (): ReturnType<typeof source.read> => {
    const value = early[given++];
    return value ? { done: false, value } : source.read();
  };
  return streamOf({ read, cancel: (reason) => source.cancel(reason) });
}

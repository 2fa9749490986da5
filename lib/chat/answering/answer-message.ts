import { createUIMessageStream, type UIMessageChunk } from "ai";
import type { SessionMessagePart } from "@/lib/session";
import { Breaks } from "./breaks";

/**
 * Rebuilds an answer's parts from its chunks, however early they end: unfinished text is closed, calls without a
 * result are repaired before the next model call.
 */
export async function answerParts(
  chunks: readonly UIMessageChunk[],
): Promise<SessionMessagePart[]> {
  const ended = Promise.withResolvers<SessionMessagePart[]>();
  // `readUIMessageStream` copies the whole message for every chunk: minutes for thousands of tool calls.
  const stream = createUIMessageStream({
    execute: async ({ writer }) => {
      for await (const chunk of joinDeltas(chunks)) writer.write(chunk);
    },
    onEnd: ({ responseMessage, outcome }) => {
      if (outcome.status === "failed") ended.reject(outcome.error);
      else ended.resolve(responseMessage.parts as unknown as SessionMessagePart[]);
    },
  });
  await Promise.all([ended.promise, stream.pipeTo(new WritableStream())]);
  return (await ended.promise).map(closed);
}

export function wroteMemory(parts: readonly SessionMessagePart[]): boolean {
  return parts.some((part) => part.type === "tool-set_context");
}

function closed(part: SessionMessagePart): SessionMessagePart {
  const isText = part.type === "text" || part.type === "reasoning";
  return isText && part.state === "streaming" ? { ...part, state: "done" } : part;
}

/** Merges adjacent deltas: the reader parses the whole input of a call at each. */
async function* joinDeltas(chunks: readonly UIMessageChunk[]): AsyncGenerator<UIMessageChunk> {
  const breaks = new Breaks();
  let texts: string[] = [];
  let last: UIMessageChunk | undefined;
  for (const chunk of chunks) {
    const delta = deltaOf(chunk);
    // Signatures come with any delta, and joining would keep only the last.
    const isJoined = delta && last && deltaOf(last)?.key === delta.key && !hasMetadata(last);
    if (last && !isJoined) {
      yield withText(last, texts.join(""));
      texts = [];
    }
    if (delta) texts.push(delta.text);
    last = chunk;
    if (breaks.isDue) await breaks.take();
  }
  if (last) yield withText(last, texts.join(""));
}

function withText(chunk: UIMessageChunk, text: string): UIMessageChunk {
  if (chunk.type === "tool-input-delta") return { ...chunk, inputTextDelta: text };
  return deltaOf(chunk) ? ({ ...chunk, delta: text } as UIMessageChunk) : chunk;
}

function hasMetadata(chunk: UIMessageChunk): boolean {
  return "providerMetadata" in chunk && chunk.providerMetadata !== undefined;
}

function deltaOf(chunk: UIMessageChunk): { key: string; text: string } | null {
  switch (chunk.type) {
    case "text-delta":
    case "reasoning-delta":
      return { key: `${chunk.type} ${chunk.id}`, text: chunk.delta };
    case "tool-input-delta":
      return { key: `${chunk.type} ${chunk.toolCallId}`, text: chunk.inputTextDelta };
    default:
      return null;
  }
}

import { readUIMessageStream, type UIMessageChunk } from "ai";
import type { SessionMessagePart } from "@/lib/session";

/**
 * Rebuilds an answer's parts from its chunks, however early they end: unfinished text is closed, calls without a
 * result are repaired before the next model call.
 */
export async function answerParts(
  chunks: readonly UIMessageChunk[],
): Promise<SessionMessagePart[]> {
  const source = joinDeltas(chunks);
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of source) controller.enqueue(chunk);
      controller.close();
    },
  });
  let parts: SessionMessagePart[] = [];
  for await (const message of readUIMessageStream({ stream })) {
    parts = message.parts as unknown as SessionMessagePart[];
  }
  return parts.map(closed);
}

export function wroteMemory(parts: readonly SessionMessagePart[]): boolean {
  return parts.some((part) => part.type === "tool-set_context");
}

function closed(part: SessionMessagePart): SessionMessagePart {
  const isText = part.type === "text" || part.type === "reasoning";
  return isText && part.state === "streaming" ? { ...part, state: "done" } : part;
}

/** Merges adjacent deltas, because the reader copies the whole message for every chunk. */
function joinDeltas(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  const joined: UIMessageChunk[] = [];
  for (const chunk of chunks) {
    const last = joined.at(-1);
    const continues =
      (chunk.type === "text-delta" || chunk.type === "reasoning-delta") &&
      last?.type === chunk.type &&
      last.id === chunk.id;
    if (continues) joined[joined.length - 1] = { ...chunk, delta: last.delta + chunk.delta };
    else joined.push(chunk);
  }
  return joined;
}

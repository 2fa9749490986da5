import { createUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import type { SessionMessagePart } from "@/lib/session";
import { Breaks } from "./breaks";

/**
 * Rebuilds an answer's parts from its chunks, however early they end. `before` are its parts up to the pause after
 * which it went on.
 */
export async function answerParts(
  chunks: readonly UIMessageChunk[],
  before: readonly SessionMessagePart[] = [],
): Promise<SessionMessagePart[]> {
  const ended = Promise.withResolvers<SessionMessagePart[]>();
  // `readUIMessageStream` copies the whole message for every chunk: minutes for thousands of tool calls.
  const original = { id: "", role: "assistant", parts: before } as unknown as UIMessage;
  const stream = createUIMessageStream({
    ...(before.length > 0 && { originalMessages: [original] }),
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
  // Progress is no result.
  if (part.preliminary === true) {
    const { preliminary: _, output: __, ...call } = part;
    return { ...call, type: part.type, state: "input-available" };
  }
  const isText = part.type === "text" || part.type === "reasoning";
  return isText && part.state === "streaming" ? { ...part, state: "done" } : part;
}

/** The reader parses the whole input of a call at each delta. */
async function* joinDeltas(chunks: readonly UIMessageChunk[]): AsyncGenerator<UIMessageChunk> {
  const breaks = new Breaks();
  let last: UIMessageChunk | null = null;
  for (const chunk of chunks) {
    const joined: UIMessageChunk | null = last && joinedDelta(last, chunk);
    if (last && !joined) yield last;
    last = joined ?? chunk;
    if (breaks.isDue) await breaks.take();
  }
  if (last) yield last;
}

/** Two neighbouring deltas of one text or call as one; `null` when they are not. */
function joinedDelta(first: UIMessageChunk, second: UIMessageChunk): UIMessageChunk | null {
  // Signatures come with any delta, and joining would keep only the last.
  if ("providerMetadata" in first && first.providerMetadata !== undefined) return null;
  if (first.type === "tool-input-delta") {
    if (second.type !== first.type || second.toolCallId !== first.toolCallId) return null;
    return { ...second, inputTextDelta: first.inputTextDelta + second.inputTextDelta };
  }
  if (first.type !== "text-delta" && first.type !== "reasoning-delta") return null;
  if (second.type !== first.type || second.id !== first.id) return null;
  return { ...second, delta: first.delta + second.delta };
}

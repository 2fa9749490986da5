import { createUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import type { SessionMessagePart } from "grove-session";
import { Breaks } from "@/lib/chat/runs/breaks";
import { meantParts } from "@/lib/chat/wire/meant-parts";
import { ChunkRepair } from "./chunk-repair";

/** Never throws. `before` are the parts up to the pause. */
export async function answerParts(
  chunks: readonly unknown[],
  before: readonly SessionMessagePart[] = [],
): Promise<SessionMessagePart[]> {
  const repair = new ChunkRepair(before);
  const repaired = chunks.flatMap((chunk) => repair.repaired(chunk));
  try {
    const parts = await readParts(repaired, before);
    return parts.map(closed).flatMap((part) => meantParts(part));
  } catch {
    return [...before, ...writtenParts(repaired)].map(closed);
  }
}

async function readParts(
  chunks: readonly UIMessageChunk[],
  before: readonly SessionMessagePart[],
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
  const [parts] = await Promise.all([ended.promise, stream.pipeTo(new WritableStream())]);
  return parts;
}

/** Reads chunks that the SDK's reader refuses. */
function writtenParts(chunks: readonly UIMessageChunk[]): SessionMessagePart[] {
  const open = new Map<string, { type: string; text: string }>();
  const parts: { type: string; text: string }[] = [];
  for (const chunk of chunks) {
    const [type = "", moment] = chunk.type.split("-");
    if (type !== "text" && type !== "reasoning") continue;
    const key = `${type} ${"id" in chunk ? chunk.id : ""}`;
    if (moment === "start") {
      const part = { type, text: "" };
      open.set(key, part);
      parts.push(part);
    }
    const part = open.get(key);
    if (part && "delta" in chunk) part.text += chunk.delta;
  }
  return parts;
}

function closed(part: SessionMessagePart): SessionMessagePart {
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

function joinedDelta(first: UIMessageChunk, second: UIMessageChunk): UIMessageChunk | null {
  // Joining would keep only the last signature.
  if ("providerMetadata" in first && first.providerMetadata !== undefined) return null;
  if (first.type === "tool-input-delta") {
    if (second.type !== first.type || second.toolCallId !== first.toolCallId) return null;
    return { ...second, inputTextDelta: first.inputTextDelta + second.inputTextDelta };
  }
  if (first.type !== "text-delta" && first.type !== "reasoning-delta") return null;
  if (second.type !== first.type || second.id !== first.id) return null;
  return { ...second, delta: first.delta + second.delta };
}

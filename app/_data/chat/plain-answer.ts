import type { UIMessageChunk } from "ai";
import { meantPart } from "@/lib/chat/wire/meant-parts";
import type { GroveMessage } from "@/lib/chat/wire/messages";

export interface PlainAnswer {
  readonly message: GroveMessage;
  readonly open: ReadonlyMap<string, number>;
}

type StreamedPart = Extract<GroveMessage["parts"][number], { type: "text" | "reasoning" }>;

export function emptyAnswer(messageId: string): PlainAnswer {
  return { message: { id: messageId, role: "assistant", parts: [] }, open: new Map() };
}

/**
 * Adds a chunk as the AI SDK would; `null` for chunks that only the SDK reads.
 *
 * @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
export function withChunk(answer: PlainAnswer, chunk: UIMessageChunk): PlainAnswer | null {
  switch (chunk.type) {
    case "start":
      return chunk.messageId === undefined
        ? answer
        : { ...answer, message: { ...answer.message, id: chunk.messageId } };
    case "start-step":
      return withPart(answer, { type: "step-start" });
    case "text-start":
      return opened(answer, `text ${chunk.id}`, { type: "text", text: "", state: "streaming" });
    case "reasoning-start":
      return opened(answer, `reasoning ${chunk.id}`, {
        type: "reasoning",
        text: "",
        state: "streaming",
      });
    case "text-delta":
      // Grove's metadata splits one part into two.
      if (chunk.providerMetadata?.grove) return null;
      return changed(answer, `text ${chunk.id}`, longer(chunk.delta));
    case "reasoning-delta":
      return changed(answer, `reasoning ${chunk.id}`, longer(chunk.delta));
    case "text-end":
      return changed(answer, `text ${chunk.id}`, ended(chunk));
    case "reasoning-end":
      return changed(answer, `reasoning ${chunk.id}`, ended(chunk));
    case "finish-step":
    case "message-metadata":
    case "finish":
    case "abort":
    case "error":
      return answer;
    default:
      return null;
  }
}

function withPart(
  { message, open }: PlainAnswer,
  part: GroveMessage["parts"][number],
): PlainAnswer {
  return { message: { ...message, parts: [...message.parts, part] }, open };
}

function opened(answer: PlainAnswer, key: string, part: StreamedPart): PlainAnswer {
  const open = new Map(answer.open).set(key, answer.message.parts.length);
  return { ...withPart(answer, part), open };
}

function longer(delta: string) {
  return (part: StreamedPart): StreamedPart => ({ ...part, text: part.text + delta });
}

function ended({ providerMetadata }: Pick<StreamedPart, "providerMetadata">) {
  return (part: StreamedPart): StreamedPart =>
    meantPart({ ...part, state: "done", ...(providerMetadata && { providerMetadata }) });
}

function changed(
  { message, open }: PlainAnswer,
  key: string,
  change: (part: StreamedPart) => StreamedPart,
): PlainAnswer | null {
  const index = open.get(key);
  const part = index === undefined ? undefined : message.parts[index];
  if (index === undefined || (part?.type !== "text" && part?.type !== "reasoning")) return null;
  return { message: { ...message, parts: message.parts.with(index, change(part)) }, open };
}

import type { SessionMessage, SessionMessagePart } from "@/lib/session/message";
import { isToolPart, toolNameOf } from "@/lib/session/message-parts";
import { skillOf } from "@/lib/session/skill-events";
import { capOutput } from "./cap-output";

/** Names one tool call: ids of calls are unique within their message. */
export interface ToolCallRef {
  readonly messageId: string;
  readonly toolCallId: string;
}

/** A tool output a model gets only part of, in characters (UTF-16 units). */
export interface ShortenedOutput extends ToolCallRef {
  readonly toolName: string;
  readonly shownChars: number;
  readonly totalChars: number;
}

export interface ShortenOptions {
  /** The most a model is given of one output, before the mark. Default 20,000 characters. */
  readonly maxChars?: number | undefined;
  /** Returns true for an output that is sent in full at any size. Default: none. */
  readonly isSentInFull?: ((call: ToolCallRef) => boolean) | undefined;
}

/**
 * Shortens the tool outputs that are over a cap, on a copy, and lists them in order. Everything else, texts of any length
 * included, stays as it is.
 *
 * An output is shortened for its own size alone, never for its age or for what the model's window holds, so that the
 * messages before the newest stay the same from request to request and a provider can reuse what it has read.
 *
 * Results of tools that a provider runs stay untouched, since providers refuse changed ones. So do the documents of
 * skills, which are loaded to be read whole.
 */
export function shortenToolOutputs<Message extends SessionMessage>(
  messages: readonly Message[],
  { maxChars, isSentInFull = () => false }: ShortenOptions = {},
): { messages: Message[]; shortened: ShortenedOutput[] } {
  const shortened: ShortenedOutput[] = [];
  const shorter = messages.map((message) => {
    let isChanged = false;
    const parts = message.parts.map((part) => {
      const call = { messageId: message.id, toolCallId: String(part.toolCallId ?? "") };
      const capped = capPart(part, maxChars);
      if (!capped || isSentInFull(call)) return part;
      isChanged = true;
      const { shownChars, totalChars } = capped;
      shortened.push({ ...call, toolName: toolNameOf(part), shownChars, totalChars });
      return capped.part;
    });
    return isChanged ? { ...message, parts } : message;
  });
  return { messages: shorter, shortened };
}

/** A tool call with its output, or the text of its error, within a cap; `null` when that changes nothing. */
export function capPart(part: SessionMessagePart, maxChars?: number) {
  if (!isToolPart(part) || part.providerExecuted === true || skillOf(part)) return null;
  const field = part.state === "output-error" ? "errorText" : "output";
  const capped = capOutput(part[field], maxChars);
  return capped && { ...capped, part: { ...part, [field]: capped.output } };
}

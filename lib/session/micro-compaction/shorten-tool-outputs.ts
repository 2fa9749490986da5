import {
  isToolPart,
  type SessionMessage,
  type SessionMessagePart,
  toolNameOf,
} from "@/lib/session/message";
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

interface ShortenOptions {
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
    if (!message.parts.some(isToolPart)) return message;
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

/** Limits for older messages, in characters (UTF-16 units), and the number of newest messages left alone. */
interface TruncateOptions {
  /** The newest messages keep their texts, and tool outputs up to the cap of `shortenToolOutputs`. Default 4. */
  readonly keepRecent?: number | undefined;
  /** Default 500. */
  readonly maxToolOutputChars?: number | undefined;
  /** Default 10,000. */
  readonly maxTextChars?: number | undefined;
}

/**
 * Cuts tool outputs and texts of older messages, on a copy, and marks each with its true size. See
 * `shortenToolOutputs` for what leaves texts whole and keeps the beginning of a prompt stable.
 */
export function truncateOlderMessages<Message extends SessionMessage>(
  messages: readonly Message[],
  { keepRecent = 4, maxToolOutputChars = 500, maxTextChars = 10_000 }: TruncateOptions = {},
): Message[] {
  const older = messages.length - keepRecent;
  const truncated = (part: SessionMessagePart): SessionMessagePart => {
    const text = part.type === "text" ? capOutput(part.text, maxTextChars) : null;
    if (text) return { ...part, text: text.output };
    return capPart(part, maxToolOutputChars)?.part ?? part;
  };
  const shortened = shortenToolOutputs(messages).messages;
  return messages.map((message, index) =>
    index < older
      ? { ...message, parts: message.parts.map(truncated) }
      : (shortened[index] ?? message),
  );
}

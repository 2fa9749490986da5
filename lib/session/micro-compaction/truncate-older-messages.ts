import type { SessionMessage, SessionMessagePart } from "@/lib/session/message";
import { isToolPart } from "@/lib/session/message-parts";
import { cutWithNote, jsonLength, shrinkJson } from "./shrink-json";

/** What of older messages is cut, in characters (UTF-16 code units), and how many newest messages are left alone. */
export interface TruncateOptions {
  /** The newest messages stay whole. Default 4. */
  readonly keepRecent?: number | undefined;
  /** Default 500. */
  readonly maxToolOutputChars?: number | undefined;
  /** Default 10,000. */
  readonly maxTextChars?: number | undefined;
}

/**
 * A copy of a history in which older messages have shorter tool outputs and texts; what is stored stays whole.
 * Structured outputs keep their shape.
 */
export function truncateOlderMessages<Message extends SessionMessage>(
  messages: readonly Message[],
  { keepRecent = 4, maxToolOutputChars = 500, maxTextChars = 10_000 }: TruncateOptions = {},
): Message[] {
  const older = messages.length - keepRecent;
  return messages.map((message, index) => {
    if (index >= older) return message;
    const parts = message.parts.map((part) =>
      truncatePart(part, { maxToolOutputChars, maxTextChars }),
    );
    return { ...message, parts };
  });
}

function truncatePart(
  part: SessionMessagePart,
  { maxToolOutputChars, maxTextChars }: { maxToolOutputChars: number; maxTextChars: number },
): SessionMessagePart {
  if (isToolPart(part) && jsonLength(part.output) > maxToolOutputChars) {
    return { ...part, output: shrinkJson(part.output, maxToolOutputChars) };
  }
  if (part.type === "text" && typeof part.text === "string" && part.text.length > maxTextChars) {
    return { ...part, text: cutWithNote(part.text, maxTextChars) };
  }
  return part;
}

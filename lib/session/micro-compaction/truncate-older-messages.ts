import type { SessionMessage, SessionMessagePart } from "@/lib/session/message";
import { capOutput } from "./cap-output";
import { capPart, shortenToolOutputs } from "./shorten-tool-outputs";

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
 * Cuts tool outputs and texts of older messages, on a copy, and marks each with its true size. Nothing does this unless
 * it is called: see `shortenToolOutputs` for what leaves texts whole and keeps the beginning of a prompt stable.
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

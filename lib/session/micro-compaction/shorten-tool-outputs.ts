import { isToolPart, type SessionMessage, type SessionMessagePart, toolNameOf } from "../message";
import { skillOf } from "../skill-events";
import { capOutput } from "./cap-output";

/** Call ids are unique within their message. */
export interface ToolCallRef {
  readonly messageId: string;
  readonly toolCallId: string;
}

/** Lengths in UTF-16 units. */
export interface ShortenedOutput extends ToolCallRef {
  readonly toolName: string;
  readonly shownChars: number;
  readonly totalChars: number;
}

export interface ShortenOptions {
  /** UTF-16 units of one output, before the mark. Default 20,000. */
  readonly maxChars?: number | undefined;
  /** Lines of each text in an output. Default: any number, as `0`. */
  readonly maxLines?: number | undefined;
  /** Fields of tool parts that the model does not read, such as a raw copy beside `output`. Default: none. */
  readonly dropFields?: readonly string[] | undefined;
  /** True for an output sent in full at any size. Default: none. */
  readonly isSentInFull?: ((call: ToolCallRef) => boolean) | undefined;
}

/**
 * Shortens tool outputs over a cap, on a copy, and lists them in order. Their size alone decides: older messages stay
 * the same from request to request, so that a provider can reuse them. Results of tools that a provider runs stay,
 * since providers refuse changed ones; so do documents of skills.
 */
export function shortenToolOutputs<Message extends SessionMessage>(
  messages: readonly Message[],
  { dropFields = [], isSentInFull = () => false, ...caps }: ShortenOptions = {},
): { messages: Message[]; shortened: ShortenedOutput[] } {
  const shortened: ShortenedOutput[] = [];
  const shorter = messages.map((message) => {
    if (!message.parts.some(isToolPart)) return message;
    let isChanged = false;
    const parts = message.parts.map((whole) => {
      const part = withoutFields(whole, dropFields);
      if (part !== whole) isChanged = true;
      const call = { messageId: message.id, toolCallId: String(whole.toolCallId ?? "") };
      const capped = capPart(part, caps);
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

function withoutFields(part: SessionMessagePart, names: readonly string[]): SessionMessagePart {
  if (!isShortened(part) || !names.some((name) => name in part)) return part;
  const kept = Object.entries(part).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(kept), type: part.type };
}

function isShortened(part: SessionMessagePart): boolean {
  return isToolPart(part) && part.providerExecuted !== true && !skillOf(part);
}

type Caps = Pick<ShortenOptions, "maxChars" | "maxLines">;

function capPart(part: SessionMessagePart, { maxChars, maxLines }: Caps) {
  if (!isShortened(part)) return null;
  const field = part.state === "output-error" ? "errorText" : "output";
  const capped = capOutput(part[field], maxChars, { maxLines });
  return capped && { ...capped, part: { ...part, [field]: capped.output } };
}

export interface TruncateOptions {
  /** Newest messages that keep their texts, and tool outputs up to the cap of `shortenToolOutputs`. Default 4. */
  readonly keepRecent?: number | undefined;
  /** UTF-16 units. Default 500. */
  readonly maxToolOutputChars?: number | undefined;
  /** UTF-16 units. Default 10,000. */
  readonly maxTextChars?: number | undefined;
}

/** Cuts tool outputs and texts of older messages, on a copy. Changes the beginning of a prompt from call to call. */
export function truncateOlderMessages<Message extends SessionMessage>(
  messages: readonly Message[],
  { keepRecent = 4, maxToolOutputChars = 500, maxTextChars = 10_000 }: TruncateOptions = {},
): Message[] {
  const older = messages.length - keepRecent;
  const truncated = (part: SessionMessagePart): SessionMessagePart => {
    const text = part.type === "text" ? capOutput(part.text, maxTextChars) : null;
    if (text) return { ...part, text: text.output };
    return capPart(part, { maxChars: maxToolOutputChars })?.part ?? part;
  };
  const shortened = shortenToolOutputs(messages).messages;
  return messages.map((message, index) =>
    index < older
      ? { ...message, parts: message.parts.map(truncated) }
      : (shortened[index] ?? message),
  );
}

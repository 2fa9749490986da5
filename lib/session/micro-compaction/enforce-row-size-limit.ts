import { isToolPart, type ListedMessage, type SessionMessagePart, toolNameOf } from "../message";
import { cutText, jsonBytes } from "../text";
import { capOutput } from "./cap-output";

export interface RowSizeOptions {
  /** JSON in UTF-8. Default 1,000,000. */
  readonly maxBytes?: number | undefined;
}

const defaultMaxBytes = 1_000_000;
const previewChars = 500;
const smallBytes = 2_000;

/**
 * Replaces a message's largest parts by previews until it fits. Providers refuse changed results of tools that they
 * run.
 */
export function enforceRowSizeLimit<Message extends ListedMessage>(
  message: Message,
  { maxBytes = defaultMaxBytes }: RowSizeOptions = {},
): Message {
  let excess = jsonBytes(message) - maxBytes;
  if (excess <= 0) return message;
  const parts = [...message.parts];
  for (const { part, index } of byReplaceability(message.parts)) {
    if (excess <= 0) break;
    const smaller = replacement(part);
    if (jsonBytes(smaller) >= jsonBytes(part)) continue;
    excess -= jsonBytes(part) - jsonBytes(smaller);
    parts[index] = smaller;
  }
  return { ...message, parts };
}

/** Tool outputs first, since they can be had again, words of the conversation last, the largest first in each. */
function byReplaceability(parts: readonly SessionMessagePart[]) {
  return parts
    .map((part, index) => ({ part, index, bytes: jsonBytes(part) }))
    .filter(({ part, bytes }) => bytes > smallBytes && part.providerExecuted !== true)
    .sort(
      (first, second) => rankOf(first.part) - rankOf(second.part) || second.bytes - first.bytes,
    );
}

function rankOf(part: SessionMessagePart): number {
  if (isToolPart(part)) return 0;
  if (part.type === "file") return 1;
  return part.type === "text" ? 3 : 2;
}

function replacement(part: SessionMessagePart): SessionMessagePart {
  if (isToolPart(part)) return smallerCall(part);
  if (part.type === "file") return fileNote(part);
  if (typeof part.text !== "string")
    return { type: "text", text: `[${part.type} left out: too large to keep]` };
  const kept = cutText(part.text, previewChars);
  return {
    ...part,
    text: `${kept}… [${part.text.length - kept.length} characters left out: too large to keep]`,
  };
}

function smallerCall(part: SessionMessagePart): SessionMessagePart {
  const advice = `Run ${toolNameOf(part)} again to see all of it.`;
  const input = capOutput(part.input, previewChars)?.output ?? part.input;
  const output = capOutput(part.output, previewChars, { advice })?.output ?? part.output;
  return {
    ...part,
    ...(part.input !== undefined && { input }),
    ...(part.output !== undefined && { output }),
  };
}

function fileNote(part: SessionMessagePart): SessionMessagePart {
  const name = typeof part.filename === "string" ? part.filename : "without name";
  return {
    type: "text",
    text: `[File ${name} left out: too large to keep. Attach it again to use it.]`,
  };
}

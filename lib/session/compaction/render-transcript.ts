import type { SessionMessage, SessionMessagePart } from "@/lib/session/message";
import { isToolPart, toolNameOf } from "@/lib/session/message-parts";
import { cutText } from "@/lib/session/text";

const maxInputChars = 500;
const maxOutputChars = 2_000;

/**
 * A message as a summarizer reads it: who speaks, the text, and in brackets what tools were called with and answered and
 * which files were attached. Reasoning is left out; the tags that fence a transcript are made harmless.
 */
export function renderMessage(message: SessionMessage): string {
  const lines = message.parts.map(renderPart).filter((line) => line !== "");
  const body = lines.join("\n").replaceAll(/<(\/?)(conversation|previous-summary)>/gi, "‹$1$2›");
  return `${message.role}: ${body === "" ? "(nothing)" : body}`;
}

function renderPart(part: SessionMessagePart): string {
  if (isToolPart(part)) return renderToolPart(part);
  if (part.type === "text") return asText(part.text);
  if (part.type === "file")
    return `[file ${asText(part.filename) || "without name"}, ${asText(part.mediaType)}]`;
  if (part.type.startsWith("source-")) {
    return `[source ${asText(part.title)} ${asText(part.url)}]`.replaceAll(/ +/g, " ");
  }
  return "";
}

function renderToolPart(part: SessionMessagePart): string {
  const call = `${toolNameOf(part)} ${shortened(part.input, maxInputChars)}`.trim();
  if (part.state === "output-available")
    return `[called ${call} → ${shortened(part.output, maxOutputChars)}]`;
  if (part.state === "output-error")
    return `[called ${call} and failed: ${asText(part.errorText)}]`;
  return `[called ${call}, without an answer]`;
}

/** Beginning and end, where what matters of an output mostly stands. */
function shortened(value: unknown, maxChars: number): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  const end = cutText(text.slice(-half).replace(/^[\udc00-\udfff]/, ""), half);
  return `${cutText(text, half)} … [${text.length - maxChars} characters left out] … ${end}`;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

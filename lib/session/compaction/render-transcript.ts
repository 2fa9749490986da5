import type { SessionMessage, SessionMessagePart } from "@/lib/session/message";
import { isToolPart, toolNameOf } from "@/lib/session/message-parts";

/**
 * A message as a summarizer reads it: who speaks, the text, and in brackets what tools were called with and answered and
 * which files were attached, all of it whole. Reasoning is left out; the tags that fence a transcript are made harmless.
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
  const call = `${toolNameOf(part)} ${asJson(part.input)}`.trim();
  if (part.state === "output-available") return `[called ${call} → ${asJson(part.output)}]`;
  if (part.state === "output-error")
    return `[called ${call} and failed: ${asText(part.errorText)}]`;
  return `[called ${call}, without an answer]`;
}

function asJson(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

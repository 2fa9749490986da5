import type { SessionMessagePart } from "../../session";
import type { SessionMessageRole } from "../../session/ports";
import { isObject, type JsonObject, type JsonValue, shownText } from "./stored-value";

/** Content that no other part can hold; neither the app nor models see it. */
const foreignContent = "data-agents-content";

function foreignPart(data: JsonValue): SessionMessagePart {
  return { type: foreignContent, data };
}

export function textPart(text: string): SessionMessagePart {
  return { type: "text", text };
}

export function contentPart(entry: JsonValue): SessionMessagePart {
  if (!isObject(entry)) return foreignPart(entry);
  switch (entry.type) {
    case "input_text":
    case "output_text":
      return textPart(shownText(entry.text));
    case "refusal":
      return textPart(shownText(entry.refusal));
    case "input_image":
    case "image":
      return mediaPart(entry, entry.image, "image/png");
    case "input_file":
      return mediaPart(entry, entry.file, "application/octet-stream");
    case "audio":
      return mediaPart(entry, entry.audio, `audio/${shownText(entry.format) || "wav"}`);
    default:
      return foreignPart(entry);
  }
}

export function partContent(part: SessionMessagePart, role: SessionMessageRole): JsonObject | null {
  if (part.type === "text") {
    return { type: role === "assistant" ? "output_text" : "input_text", text: textOf(part.text) };
  }
  if (part.type === foreignContent)
    return isObject(part.data as JsonValue) ? (part.data as JsonObject) : null;
  if (part.type === "source-url") return linkContent(textOf(part.url), part);
  if (part.type !== "file") return null;
  const url = textOf(part.url);
  const mediaType = textOf(part.mediaType);
  if (mediaType.startsWith("audio/"))
    return { type: "audio", audio: url, format: mediaType.slice(6) };
  if (mediaType.startsWith("image/")) {
    return { type: role === "assistant" ? "image" : "input_image", image: url };
  }
  return { type: "input_file", file: url, ...namedBy(part.filename) };
}

function linkContent(url: string, { title }: SessionMessagePart): JsonObject {
  return textOf(title) === "Image"
    ? { type: "input_image", image: url }
    : { type: "input_file", file: { url }, ...namedBy(title) };
}

// A link stays a link: as a file, the AI SDK would make the server fetch whatever address it names.
function mediaPart(
  entry: JsonObject,
  source: JsonValue | undefined,
  mediaType: string,
): SessionMessagePart {
  const place = isObject(source) ? source.url : source;
  if (typeof place !== "string") return foreignPart(entry);
  const filename = shownText(entry.filename);
  if (/^https?:/i.test(place)) {
    const title = mediaType.startsWith("image/") ? "Image" : filename;
    return { type: "source-url", sourceId: place, url: place, ...(title !== "" && { title }) };
  }
  const [, named = mediaType, data = place] =
    /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/.exec(place) ?? [];
  if (!isBase64(data)) return foreignPart(entry);
  const url = `data:${named};base64,${data}`;
  return { type: "file", mediaType: named, url, ...(filename !== "" && { filename }) };
}

/** Decoding anything else fails when the model is called. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function namedBy(name: unknown): { filename?: string } {
  return typeof name === "string" && name !== "" ? { filename: name } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

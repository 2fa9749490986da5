import type { SessionMessagePart } from "grove-session";
import { z } from "zod";
import { textHash } from "./chat-records";
import { orElse, text } from "./fields";
import { exportedFilePart, textPart } from "./foreign-chat";

const block = z.object({
  type: text,
  text,
  name: text,
  filename: text,
  url: text,
  refusal: text,
  image_url: orElse(z.union([z.object({ url: text }).transform(({ url }) => url), z.string()]), ""),
  file: orElse(z.object({ file_data: text, filename: text }), { file_data: "", filename: "" }),
});

const plainKinds = new Set(["", "text", "input_text", "output_text", "refusal"]);

/** `lost` names parts that are neither words nor files in `data:` addresses. Links are never fetched. */
export function contentParts(content: readonly unknown[]): {
  readonly parts: SessionMessagePart[];
  readonly lost: readonly string[];
} {
  const lost: string[] = [];
  const parts = content.flatMap((each): SessionMessagePart[] => {
    if (typeof each === "string") return textPart(each);
    const { data } = block.safeParse(each);
    if (!data) {
      lost.push("");
      return [];
    }
    const { type, filename, name, url, image_url, file } = data;
    const held = [url, image_url, file.file_data].find((address) => address.startsWith("data:"));
    if (held !== undefined) return [heldFilePart(held, filename || file.filename || name || type)];
    const parts = textPart(data.text || data.refusal);
    if (!plainKinds.has(type) || (type === "" && parts.length === 0)) lost.push(type);
    return parts;
  });
  return { parts, lost };
}

export function heldFilePart(dataUrl: string, name: string): SessionMessagePart {
  return exportedFilePart({ id: `held-${textHash(dataUrl)}`, name, dataUrl });
}

export function heldFile(dataUrl: string): Blob | null {
  const [, mediaType = "", encoding, data = ""] =
    /^data:([^;,]*)(?:;(?!base64)[^,;]*)*(;base64)?,([\s\S]*)$/.exec(dataUrl) ?? [];
  if (data === "") return null;
  try {
    const text = encoding ? atob(data.replace(/\s+/g, "")) : decodeURIComponent(data);
    const bytes = encoding
      ? Uint8Array.from(text, (character) => character.charCodeAt(0))
      : new TextEncoder().encode(text);
    return new Blob([bytes], { type: mediaType });
  } catch {
    return null;
  }
}

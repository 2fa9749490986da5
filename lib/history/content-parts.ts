import { z } from "zod";
import type { SessionMessagePart } from "@/lib/session";
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

/** Their words are all there is to them. */
const plainKinds = new Set(["", "text", "input_text", "output_text", "refusal"]);

/**
 * The words of a list of content parts, and the pictures and files that it holds as `data:` addresses. `lost` names the
 * kinds of all others, pictures behind a link included, since links are never fetched.
 */
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

/** A file whose content stands in the chat itself; named after it, so that the same one is stored once. */
export function heldFilePart(dataUrl: string, name: string): SessionMessagePart {
  return exportedFilePart({ id: `held-${textHash(dataUrl)}`, name, dataUrl });
}

/** The content of a `data:` address; `null` where it is damaged. */
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
    // Damaged: the file is named among those that are missing.
    return null;
  }
}

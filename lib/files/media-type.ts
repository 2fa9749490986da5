import { unmarkedUtf16 } from "./decoded-text";
import {
  excelType,
  openSheetType,
  openSlidesType,
  openTextType,
  powerPointType,
  wordType,
} from "./document-types";

export const headBytes = 64 * 1_024;

interface Signature {
  readonly mediaType: string;
  readonly at: number;
  readonly bytes: string;
}

/** Latin-1 text. Programs open these formats by their first bytes, whatever the name. */
const signatures: readonly Signature[] = [
  { mediaType: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { mediaType: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { mediaType: "image/gif", at: 0, bytes: "GIF87a" },
  { mediaType: "image/gif", at: 0, bytes: "GIF89a" },
  { mediaType: "image/webp", at: 8, bytes: "WEBP" },
  { mediaType: "image/avif", at: 4, bytes: "ftypavif" },
  { mediaType: "image/heic", at: 4, bytes: "ftypheic" },
  { mediaType: "image/heic", at: 4, bytes: "ftypmif1" },
  { mediaType: "image/tiff", at: 0, bytes: "II*\0" },
  { mediaType: "image/tiff", at: 0, bytes: "MM\0*" },
  { mediaType: "image/bmp", at: 0, bytes: "BM" },
  { mediaType: "video/mp4", at: 4, bytes: "ftyp" },
  { mediaType: "audio/mpeg", at: 0, bytes: "ID3" },
  { mediaType: "audio/wav", at: 8, bytes: "WAVE" },
  { mediaType: "application/msword", at: 0, bytes: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" },
  { mediaType: "application/gzip", at: 0, bytes: "\x1f\x8b" },
];

const archives: readonly {
  readonly mediaType: string;
  readonly folder: string;
  readonly end: string;
}[] = [
  { mediaType: wordType, folder: "word/", end: "docx" },
  { mediaType: excelType, folder: "xl/", end: "xlsx" },
  { mediaType: powerPointType, folder: "ppt/", end: "pptx" },
];

/** None of these texts runs anything in a browser. */
const textTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  md: "text/markdown",
  markdown: "text/markdown",
  json: "application/json",
};

/**
 * The name decides only between kinds of text. Unknown bytes are `application/octet-stream`.
 *
 * @see https://mimesniff.spec.whatwg.org
 */
export function mediaTypeOf(head: Uint8Array, name: string): string {
  const latin = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1");
  // Readers accept some bytes before the signature.
  if (latin.slice(0, 1_024).includes("%PDF-")) return "application/pdf";
  const end = name.includes(".") ? (name.toLowerCase().split(".").at(-1) ?? "") : "";
  if (latin.startsWith("PK\x03\x04")) return archiveType(latin, end);
  const found = signatures.find(({ at, bytes }) => latin.startsWith(bytes, at));
  // Two letters alone would take every text that begins with them.
  if (found && !(found.mediaType === "image/bmp" && latin.slice(6, 10) !== "\0\0\0\0"))
    return found.mediaType;
  const text = textIn(head);
  return text === null ? "application/octet-stream" : textType(text, end);
}

const openDocumentTypes = [openTextType, openSheetType, openSlidesType];

function archiveType(latin: string, end: string): string {
  // The first part of these formats is their type, uncompressed.
  const open = openDocumentTypes.find((type) => latin.startsWith(`mimetype${type}PK`, 30));
  if (open) return open;
  const isOffice = latin.includes("[Content_Types].xml");
  const inside = archives.find(({ folder }) => latin.includes(folder));
  // A telling part may come after the head: LibreOffice writes the list of types last.
  const named = archives.find((archive) => archive.end === end);
  const found = isOffice ? (inside ?? named) : inside === named ? inside : undefined;
  return found?.mediaType ?? "application/zip";
}

function textIn(head: Uint8Array): string | null {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16) return new TextDecoder(head[0] === 0xff ? "utf-16le" : "utf-16be").decode(head);
  if (head.includes(0)) return textWithZeros(head);
  try {
    // The head may end within a character.
    return new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    return isOneByteText(head) ? new TextDecoder("windows-1252").decode(head) : null;
  }
}

const mostZerosOf = 100;

function textWithZeros(head: Uint8Array): string | null {
  const encoding = unmarkedUtf16(head);
  if (encoding) {
    const text = new TextDecoder(encoding).decode(head);
    return [...text].some((character) => isControl(character.charCodeAt(0))) ? null : text;
  }
  const others = head.filter((byte) => byte !== 0);
  const isFew =
    (head.byteLength - others.byteLength) * mostZerosOf <= head.byteLength + mostZerosOf;
  if (!isFew || others.byteLength === 0 || others.some(isControl)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(others, { stream: true });
  } catch {
    return null;
  }
}

function isControl(byte: number): boolean {
  return byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
}

function isOneByteText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

function textType(text: string, end: string): string {
  const start = text.slice(0, 4_096).trimStart().toLowerCase();
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>]/.test(start))
    return "image/svg+xml";
  if (end === "html" || end === "htm" || end === "xhtml") return "text/html";
  // Components and templates begin like pages but are code.
  if (end === "" && /^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body)[\s>]/.test(start))
    return "text/html";
  if (end === "svg") return "image/svg+xml";
  if (end === "eml" && /^[\w-]+:/.test(start)) return "message/rfc822";
  return textTypes[end] ?? "text/plain";
}

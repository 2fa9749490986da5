import { readFile, stat } from "node:fs/promises";
import { estimateStringTokens } from "grove-session";
import type { ContentPage } from "./content-page";
import { decodedText } from "./decoded-text";
import { isDocument } from "./document-types";
import { imageSize } from "./image-size";
import { type ReaderOutcome, runReader } from "./run-reader";

export interface ReadContent {
  readonly facts: {
    readonly width?: number;
    readonly height?: number;
    readonly pages?: number;
    readonly tokens?: number;
    readonly problem?: string;
    /** Not the file's own problem; it is read again when stored again. */
    readonly mayPass?: boolean;
    readonly unread?: boolean;
  };
  readonly pages: readonly ContentPage[];
}

export interface ReadableFile {
  readonly path: string;
  readonly mediaType: string;
  readonly head: Uint8Array;
  readonly person: string;
}

export async function readContent(file: ReadableFile): Promise<ReadContent> {
  const { mediaType, path, head, person } = file;
  if (isDocument(mediaType))
    return documentContent(await runReader({ path, mediaType, person }), mediaType);
  if (isText(mediaType)) {
    if ((await stat(path)).size > mostTextBytes) return { facts: { problem: tooLong }, pages: [] };
    return textContent(decodedText(await readFile(path)));
  }
  if (mediaType.startsWith("image/")) return { facts: imageFacts(head, mediaType), pages: [] };
  return { facts: {}, pages: [] };
}

/** A longer text, read at once in the server's process, holds up everybody; from 512 MB on it is no string. */
const mostTextBytes = 50_000_000;
const tooLong =
  "This text is longer than 50 MB, so it is kept, but not read. Split it to ask about it.";

function documentContent(outcome: ReaderOutcome, mediaType: string): ReadContent {
  if ("problem" in outcome) return { facts: outcome, pages: [] };
  const { pages } = outcome;
  const tokens = pages.reduce((sum, { text }) => sum + estimateStringTokens(text), 0);
  const isPaged = mediaType === "application/pdf" || pages.length > 1;
  return { facts: { tokens, ...(isPaged && { pages: pages.length }) }, pages };
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || otherTexts.includes(mediaType);
}

const otherTexts = ["application/json", "image/svg+xml"];

function textContent(text: string): ReadContent {
  return { facts: { tokens: estimateStringTokens(text) }, pages: [{ page: 1, title: "", text }] };
}

const pixelsPerToken = 750;
const mostImageTokens = 1_600;
const unknownImageTokens = 1_000;

/**
 * As Anthropic bills images; the others are close.
 *
 * @see https://platform.claude.com/docs
 */
function imageFacts(head: Uint8Array, mediaType: string): ReadContent["facts"] {
  const size = imageSize(head, mediaType);
  if (!size) return { tokens: unknownImageTokens };
  const tokens = Math.ceil((size.width * size.height) / pixelsPerToken);
  return { ...size, tokens: Math.min(mostImageTokens, tokens) };
}

import { readFile } from "node:fs/promises";
import { estimateStringTokens } from "@/lib/session";
import type { ContentPage } from "./content-page";
import { imageSize } from "./image-size";
import { decodedText, isDocument } from "./read-document";
import { type ReaderOutcome, runReader } from "./run-reader";

export interface FileContent {
  readonly facts: {
    readonly width?: number;
    readonly height?: number;
    readonly pages?: number;
    readonly tokens?: number;
    /** Why nothing of it can be read. */
    readonly problem?: string;
    /** The problem is not of the file itself, which is read again when it is stored again. */
    readonly mayPass?: boolean;
    /** It is still to be read. */
    readonly unread?: boolean;
  };
  readonly pages: readonly ContentPage[];
}

export interface ReadableFile {
  readonly path: string;
  readonly mediaType: string;
  readonly head: Uint8Array;
  /** Whose file it is. */
  readonly person: string;
}

/** Reads what a model and a search need to know of a local file. A file that cannot be read says why. */
export async function readContent(file: ReadableFile): Promise<FileContent> {
  const { mediaType, path, head, person } = file;
  if (isDocument(mediaType))
    return documentContent(await runReader({ path, mediaType, person }), mediaType);
  if (isText(mediaType)) return textContent(decodedText(await readFile(path)));
  if (mediaType.startsWith("image/")) return { facts: imageFacts(head, mediaType), pages: [] };
  return { facts: {}, pages: [] };
}

function documentContent(outcome: ReaderOutcome, mediaType: string): FileContent {
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

function textContent(text: string): FileContent {
  return {
    facts: { tokens: estimateStringTokens(text) },
    pages: [{ page: 1, title: "", text }],
  };
}

const pixelsPerToken = 750;
const mostImageTokens = 1_600;
const unknownImageTokens = 1_000;

/** Tokens as Anthropic bills them, after which the others are close. @see https://platform.claude.com/docs */
function imageFacts(head: Uint8Array, mediaType: string): FileContent["facts"] {
  const size = imageSize(head, mediaType);
  if (!size) return { tokens: unknownImageTokens };
  const tokens = Math.ceil((size.width * size.height) / pixelsPerToken);
  return { ...size, tokens: Math.min(mostImageTokens, tokens) };
}

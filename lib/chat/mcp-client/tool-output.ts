import type { CallToolResult } from "@modelcontextprotocol/client";
import { ChatError } from "@/lib/chat/core/chat-error";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { FileStore } from "@/lib/chat/core/file-store";
import type { QuestionWire } from "@/lib/chat/wire/questions";
import type { AskedQuestion } from "./questions";
import { isSaid } from "./said-data";

export interface McpOutput {
  readonly text: string;
  /** Kept in Grove, never loaded from elsewhere. */
  readonly files?: readonly McpFile[];
  readonly structured?: unknown;
  readonly question?: QuestionWire;
  readonly asked?: readonly AskedQuestion[];
}

export interface McpFile {
  readonly name: string;
  readonly mediaType: string;
  readonly url?: string;
}

/** Bounds of a whole result; its text names the files beyond them. */
const most = { characters: 400_000, files: 20, fileCharacters: 70_000_000, name: 300 };
const mostOfFailure = 20_000;

export class ToolFailedError extends Error {
  override readonly name = "ToolFailedError";
  readonly leftOut: number;

  constructor(words: string) {
    super(cleanText(words.slice(0, mostOfFailure)));
    this.leftOut = Math.max(0, words.length - mostOfFailure);
  }
}

type OutputContent = CallToolResult["content"][number];
type GivenFile = { readonly data: string; readonly mimeType: string; readonly name: string };

/**
 * One bound holds for texts, data, names and files together. Nothing is stored once stopped. @throws {ToolFailedError}
 * when the tool reports a failure. @throws when the signal aborts.
 */
export async function mcpOutput(
  result: CallToolResult,
  files: FileStore,
  signal?: AbortSignal,
): Promise<McpOutput> {
  const texts: string[] = [];
  const given: GivenFile[] = [];
  for (const block of result.content) {
    const file = fileIn(block, given.length + 1);
    if (file) given.push(file);
    else texts.push(...textsIn(block));
  }
  const said = texts.join("\n\n");
  const text = cleanText(said.slice(0, most.characters));
  const told = result.structuredContent;
  const isTold = told === undefined || (said.length <= most.characters && isSaid(told, texts));
  if (result.isError) throw failure(said, isTold ? undefined : told);
  const taken = filesWithin(given);
  const kept: McpFile[] = [];
  const full: string[] = [];
  for (const file of taken) {
    signal?.throwIfAborted();
    const { whyNot, ...named } = await keptFile(files, file);
    kept.push(named);
    if (whyNot) full.push(`[${file.name} was left out: ${whyNot}]`);
  }
  const data = isTold ? undefined : told;
  const size = data === undefined ? 0 : JSON.stringify(data).length;
  const leftOut = [
    ...(said.length > most.characters
      ? [`[${count(said.length - most.characters)} more characters of text were left out]`]
      : []),
    ...(size > most.characters ? [`[${count(size)} characters of data were left out]`] : []),
    ...(taken.length < given.length
      ? [`[${moreFiles(given.length - taken.length)} left out]`]
      : []),
    ...full,
  ];
  const isEmpty = text === "" && kept.length === 0 && size === 0;
  return {
    text: [isEmpty ? nothing : text, ...leftOut].filter((part) => part !== "").join("\n\n"),
    ...(kept.length > 0 && { files: kept }),
    ...(size > 0 && size <= most.characters && { structured: data }),
  };
}

const nothing = "[The tool ended without an answer]";
const noReason = "The tool failed without saying why.";

function failure(said: string, data: unknown): ToolFailedError {
  const words = [said, JSON.stringify(data) ?? ""].filter((each) => each.trim() !== "");
  return new ToolFailedError(words.join("\n\n") || noReason);
}

const moreFiles = (number: number) =>
  number === 1 ? "1 more file was" : `${count(number)} more files were`;
const count = (number: number) => number.toLocaleString("en");

function textsIn(block: OutputContent): string[] {
  if (block.type === "text") return [block.text];
  if (block.type === "resource" && "text" in block.resource)
    return [`[${nameOf(block.resource.uri)}]\n${block.resource.text}`];
  if (block.type === "resource_link")
    return [`[Link to ${nameOf(block.title ?? block.name)}: ${nameOf(block.uri)}, not opened]`];
  return [];
}

function fileIn(block: OutputContent, number: number): GivenFile | null {
  if (block.type === "image" || block.type === "audio")
    return { data: block.data, mimeType: nameOf(block.mimeType), name: `${block.type} ${number}` };
  if (block.type !== "resource" || "text" in block.resource) return null;
  const { uri, mimeType = "application/octet-stream", blob } = block.resource;
  return { data: blob, mimeType: nameOf(mimeType), name: nameOf(uri) };
}

function nameOf(text: string): string {
  return text.length <= most.name ? text : `${cleanText(text.slice(0, most.name))}…`;
}

function filesWithin(given: readonly GivenFile[]): GivenFile[] {
  let characters = 0;
  return given.slice(0, most.files).filter(({ data }) => {
    characters += data.length;
    return characters <= most.fileCharacters;
  });
}

async function keptFile(
  files: FileStore,
  { data, mimeType, name }: { data: string; mimeType: string; name: string },
): Promise<McpFile & { readonly whyNot?: string }> {
  try {
    const { sha256, mediaType } = await files.put(Buffer.from(data, "base64"), { name });
    return { name, mediaType, url: `grove-file:${sha256}` };
  } catch (error) {
    const whyNot = error instanceof ChatError ? { whyNot: error.message } : {};
    return { name, mediaType: mimeType, ...whyNot };
  }
}

export function mcpText({ text, files = [], structured }: McpOutput): string {
  const named = files.map(({ name, mediaType, url }) =>
    url ? `[${name}: ${mediaType}, shown to the person]` : `[${name}: ${mediaType}, not stored]`,
  );
  const data = structured === undefined ? [] : [JSON.stringify(structured)];
  return [text, ...data, ...named].filter((part) => part !== "").join("\n\n");
}

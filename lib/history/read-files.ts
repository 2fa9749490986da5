import type { FileEntry } from "@zip.js/zip.js";
import { textHash } from "./chat-records";
import { counted } from "./chat-tree";
import { isChatGpt, readChatGpt } from "./chatgpt";
import { claudeMemories, claudeProject, isClaude, readClaude } from "./claude";
import { heldFile } from "./content-parts";
import { asUtf8 } from "./encoding";
import { countingUnread } from "./fields";
import { type ExportedFile, type ForeignChat, ForeignFormatError } from "./foreign-chat";
import { jsonValues } from "./json-values";
import { isLibreChat, readLibreChat } from "./librechat";
import { readMarkdown } from "./markdown";
import { isMessage, isMessageList, readMessageList } from "./message-list";
import { isOpenWebUi, readOpenWebUi } from "./open-webui";
import { unreadWordsIn } from "./unread-words";

export type Found =
  | {
      readonly type: "chat";
      readonly chat: ForeignChat;
      readonly has: (file: ExportedFile) => boolean;
      readonly open: (file: ExportedFile) => Promise<Blob> | null;
    }
  | { readonly type: "instructions"; readonly texts: readonly string[] }
  | { readonly type: "problem"; readonly name: string; readonly message: string };

export interface ReadOptions {
  readonly limits?: ReadLimits;
  readonly onProgress?: (share: number) => void;
}

export interface ReadLimits {
  readonly entries: number;
  readonly bytes: number;
  readonly valueBytes: number;
  readonly fileBytes: number;
}

export const readLimits: ReadLimits = {
  entries: 100_000,
  bytes: 8_000_000_000,
  valueBytes: 256_000_000,
  fileBytes: 25_000_000,
};

interface NamedSource {
  readonly name: string;
  readonly modifiedAt: Date | null;
  readonly bytes: ReadableStream<Uint8Array>;
}

type Beside = Pick<Extract<Found, { type: "chat" }>, "has" | "open">;

type ChatFound = (chat: ForeignChat) => Found;

const nothingBeside: Beside = { has: () => false, open: () => null };

interface Budget {
  left: number;
}

export async function* readFiles(
  files: readonly File[],
  { limits = readLimits, onProgress }: ReadOptions = {},
): AsyncGenerator<Found> {
  const total = files.reduce((sum, { size }) => sum + size, 0) || 1;
  const budget = { left: limits.bytes };
  let before = 0;
  for (const file of files) {
    const said = (share: number) => onProgress?.((before + share * file.size) / total);
    try {
      if (ignored.has(file.name.toLowerCase())) continue;
      if (await isZip(file)) yield* readZip(file, { limits, budget, onProgress: said });
      else {
        const modifiedAt = new Date(file.lastModified);
        const source = { name: file.name, modifiedAt, bytes: file.stream() };
        yield* readSource(source, { limits, budget, beside: nothingBeside });
      }
    } catch (error) {
      yield problem(file.name, error);
    }
    before += file.size;
    said(0);
  }
}

async function isZip(file: File): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x50 && second === 0x4b;
}

async function* readZip(
  file: File,
  given: { limits: ReadLimits; budget: Budget; onProgress: (share: number) => void },
): AsyncGenerator<Found> {
  const { limits, budget, onProgress } = given;
  const { BlobReader, ZipReader } = await import("@zip.js/zip.js/external");
  const reader = new ZipReader(new BlobReader(file), { useWebWorkers: false });
  try {
    const entries: FileEntry[] = [];
    const others: FileEntry[] = [];
    for await (const entry of reader.getEntriesGenerator({ filenameValidation: "tolerant" })) {
      if (entries.length + others.length >= limits.entries)
        throw new ForeignFormatError(`It holds more than ${limits.entries} files.`);
      if (entry.directory) continue;
      if (isReadable(entry.filename)) entries.push(entry);
      else others.push(entry);
    }
    const beside = filesBeside(others, limits);
    const size = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0) || 1;
    let before = 0;
    for (const entry of entries) {
      try {
        yield* readSource(inflated(entry), { limits, budget, beside });
      } catch (error) {
        yield problem(entry.filename, error);
      }
      before += entry.compressedSize;
      onProgress(before / size);
    }
  } finally {
    await reader.close();
  }
}

/** ChatGPT names a file after its id, with a suffix; others keep its name. */
function filesBeside(entries: readonly FileEntry[], { fileBytes }: ReadLimits): Beside {
  const byName = new Map<string, FileEntry>();
  for (const entry of entries) {
    const name = nameIn(entry);
    byName.set(name, entry);
    const [id] = /^file[-_][A-Za-z0-9]+/.exec(name) ?? [];
    if (id && !byName.has(id)) byName.set(id, entry);
  }
  const find = ({ id, name }: ExportedFile): FileEntry | null => {
    const entry = byName.get(id) ?? byName.get(name);
    return entry && entry.uncompressedSize <= fileBytes ? entry : null;
  };
  return {
    has: (file) => find(file) !== null,
    open: (file) => {
      const entry = find(file);
      return entry && blobOf(entry, fileBytes);
    },
  };
}

async function blobOf(entry: FileEntry, most: number): Promise<Blob> {
  const bytes = within(inflated(entry).bytes, { left: most });
  return new Response(bytes).blob();
}

function nameIn({ filename }: FileEntry): string {
  return filename.split("/").at(-1) ?? filename;
}

/** Names are never used as paths. */
function isReadable(path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  if (name.startsWith(".") || path.startsWith("__MACOSX/")) return false;
  return /\.(json|md|markdown)$/i.test(name) && !ignored.has(name.toLowerCase());
}

const ignored = new Set([
  "user.json",
  "users.json",
  "user_settings.json",
  "message_feedback.json",
  "model_comparisons.json",
  "shared_conversations.json",
  "export_manifest.json",
  "manifest.json",
  "readme.md",
]);

function inflated(entry: FileEntry): NamedSource {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // A failure here also fails the readable side.
  entry.getData(writable).catch((error: unknown) => writable.abort(error).catch(() => undefined));
  return { name: entry.filename, modifiedAt: entry.lastModDate ?? null, bytes: readable };
}

async function* readSource(
  source: NamedSource,
  { limits, budget, beside }: { limits: ReadLimits; budget: Budget; beside: Beside },
): AsyncGenerator<Found> {
  const name = source.name.split("/").at(-1) ?? source.name;
  const bytes = asUtf8(within(source.bytes, budget));
  const chatFound: ChatFound = (chat) => ({
    type: "chat",
    chat: dated(chat, source.modifiedAt),
    ...withHeld(beside, limits.fileBytes),
  });
  if (/\.(md|markdown|txt)$/i.test(name)) {
    const text = await wholeText(bytes, limits.valueBytes);
    yield chatFound(readMarkdown(text, { fileName: name }));
    return;
  }
  const messages: unknown[] = [];
  let found = 0;
  for await (const value of jsonValues(bytes, { mostBytes: limits.valueBytes })) {
    found++;
    if (isMessage(value)) messages.push(value);
    else if (!isEmpty(value)) yield* foundIn(value, { name, number: found, chatFound });
  }
  const chat = messages.length > 0 ? chatIn({ messages }, name) : null;
  if (chat) yield chatFound(chat);
}

function withHeld(beside: Beside, most: number): Beside {
  const held = ({ dataUrl }: ExportedFile): Blob | null => {
    // Four characters are three bytes.
    if (dataUrl === undefined || dataUrl.length * 0.75 > most) return null;
    return heldFile(dataUrl);
  };
  return {
    has: (file) => held(file) !== null || beside.has(file),
    open: (file) => {
      const blob = held(file);
      return blob ? Promise.resolve(blob) : beside.open(file);
    },
  };
}

/** A chat without any time would stand at the end of the list. */
function dated(chat: ForeignChat, modifiedAt: Date | null): ForeignChat {
  const hasTime = [chat.createdAt, chat.updatedAt, ...chat.nodes.map(({ createdAt }) => createdAt)];
  if (hasTime.some((time) => time !== null)) return chat;
  const isUsable = modifiedAt !== null && modifiedAt.getTime() > 0;
  const createdAt = isUsable ? modifiedAt : new Date();
  const from = isUsable ? "the time of its file" : "the time of the import";
  return { ...chat, createdAt, losses: [...chat.losses, `It holds no times, so it has ${from}.`] };
}

/** The content decides: names of files have changed over the years. */
function foundIn(
  value: unknown,
  { name, number, chatFound }: { name: string; number: number; chatFound: ChatFound },
): Found[] {
  const problem = (message: string) => ({
    type: "problem" as const,
    name: titleIn(value) ?? name,
    message: `${/^projects/i.test(name) ? "Project" : "Chat"} ${number} ${message}`,
  });
  try {
    const chat = chatIn(value, name);
    if (chat) return [chatFound(chat)];
    if (/^memories/i.test(name)) return [{ type: "instructions", texts: claudeMemories(value) }];
    if (!/^projects/i.test(name)) return [problem("couldn't be read: its format is unknown.")];
    const { texts, documents } = claudeProject(value);
    const left =
      documents > 0 ? [problem(`has ${counted(documents, "document")}, not imported.`)] : [];
    return [{ type: "instructions", texts }, ...left];
  } catch {
    return [problem("is damaged: parts of it are missing.")];
  }
}

const unreadFields = "Fields with words in a form Grove does not know were not read.";

function chatIn(value: unknown, fileName: string): ForeignChat | null {
  const { result: chat, unread } = countingUnread(() => {
    if (isChatGpt(value)) return readChatGpt(value);
    if (isClaude(value)) return readClaude(value);
    if (isOpenWebUi(value)) return readOpenWebUi(value);
    if (isLibreChat(value)) return readLibreChat(value);
    return isMessageList(value) ? readMessageList(value, { fileName }) : null;
  });
  if (!chat) return null;
  const elsewhere = unreadWordsIn(value, chat);
  const losses = [
    ...chat.losses,
    ...(unread > 0 ? [unreadFields] : []),
    ...(elsewhere === null ? [] : [elsewhere]),
  ];
  return { ...chat, losses, id: chat.id || `chat-${textHash(JSON.stringify(value))}` };
}

/** Files of features that the person never used are empty. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function titleIn(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const title = "title" in value ? value.title : "name" in value ? value.name : null;
  return typeof title === "string" && title !== "" ? title.slice(0, 200) : null;
}

function problem(name: string, error: unknown): Found {
  const message =
    error instanceof ForeignFormatError
      ? error.message
      : `It cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  return { type: "problem", name, message };
}

/** Declared sizes are not trusted. */
function within(bytes: ReadableStream<Uint8Array>, budget: Budget): ReadableStream<Uint8Array> {
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        budget.left -= chunk.byteLength;
        if (budget.left < 0)
          controller.error(new ForeignFormatError("The files are too large when unpacked."));
        else controller.enqueue(chunk);
      },
    }),
  );
}

async function wholeText(bytes: ReadableStream<Uint8Array>, most: number): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  const reader = bytes.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > most) throw new ForeignFormatError("It is too large.");
    pieces.push(decoder.decode(next.value, { stream: true }));
  }
  return pieces.join("") + decoder.decode();
}

import type { FilePart, ModelMessage, TextPart, ToolModelMessage } from "ai";
import type { SessionMessage, SessionMessagePart } from "grove-session";
import { type FileStore, readFile } from "@/lib/chat/core/file-store";
import {
  type AttachedFile,
  attachedFile,
  type FileTaking,
  fileGiving,
  fileKind,
  fileTokens,
  withholding,
} from "@/lib/chat/wire/files";

export interface FileSource {
  readonly files: FileStore;
  readonly takes: FileTaking;
}

export interface WithheldFile {
  readonly name: string;
  readonly reason: string;
}

/** A symbol, which no stored or imported part can hold. */
const withheld = Symbol("withheld file");

export function withheldPart({ name, reason }: WithheldFile, alt?: string): SessionMessagePart {
  const described = alt ? `“${name}” (${alt})` : `“${name}”`;
  const part: SessionMessagePart & { [withheld]: WithheldFile } = {
    ...note(`File ${described} not sent: ${reason}`),
    [withheld]: { name, reason },
  };
  return part;
}

export function withheldFile(part: SessionMessagePart): WithheldFile | null {
  return (part as { [withheld]?: WithheldFile })[withheld] ?? null;
}

/** A note replaces files that the model does not take. */
export function withFilesFor<Message extends SessionMessage>(
  messages: readonly Message[],
  takes: FileTaking,
): Message[] {
  const reasonOf = withholding(takes);
  const given = messages.toReversed().map((message) => {
    if (!message.parts.some(attachedFile)) return message;
    const parts = message.parts.toReversed().flatMap((part): SessionMessagePart | [] => {
      const file = attachedFile(part);
      if (!file) return part;
      if (part.isOfResult && !(takes.resultImages && isImageGiven(file, takes))) return [];
      if (part.isOfResult)
        return reasonOf(file) === null ? { ...part, tokens: fileTokens(file, "bytes") } : [];
      // Most providers refuse files in answers.
      if (message.role !== "user") return note(`${nameOf(file)} was part of this answer`);
      const reason = reasonOf(file);
      if (reason !== null) return withheldPart({ name: file.name, reason }, file.alt);
      return { ...part, tokens: fileTokens(file, fileGiving(file, takes)) };
    });
    return { ...message, parts: parts.toReversed() };
  });
  return given.toReversed();
}

function isImageGiven(file: AttachedFile, takes: FileTaking): boolean {
  return fileKind(file) === "image" && fileGiving(file, takes) === "bytes";
}

function note(text: string): SessionMessagePart {
  return { type: "text", text: `[${text}]` };
}

function nameOf({ name, alt }: AttachedFile): string {
  return alt ? `File “${name}” (${alt})` : `File “${name}”`;
}

export async function withFileTexts<Message extends SessionMessage>(
  messages: readonly Message[],
  { files, takes }: FileSource,
): Promise<readonly Message[]> {
  if (!messages.some(({ parts }) => parts.some(attachedFile))) return messages;
  return Promise.all(
    messages.map(async (message) => {
      if (!message.parts.some(attachedFile)) return message;
      const parts = message.parts.map(async (part) => {
        const file = attachedFile(part);
        if (!file || fileGiving(file, takes) !== "text") return part;
        return { type: "text", text: await fileText(files, file) };
      });
      return { ...message, parts: await Promise.all(parts) };
    }),
  );
}

const textOnly: FileTaking = { images: false, pdfs: false };

/** A summary replaces the files, too, so it gets their texts. */
export async function withTextsOnly<Message extends SessionMessage>(
  messages: readonly Message[],
  files: FileStore,
): Promise<readonly Message[]> {
  return withFileTexts(withFilesFor(messages, textOnly), { files, takes: textOnly });
}

async function fileText(files: FileStore, file: AttachedFile): Promise<string> {
  const pages = await files.pages(file.sha256);
  const isPaged = (file.pages ?? 1) > 1 || pages.some(({ title }) => title !== "");
  const texts = pages.map(({ page, title, text }) => {
    return isPaged ? `[Page ${page}${title && `: ${title}`}]\n${text}` : text;
  });
  return `[${nameOf(file)} begins]\n${texts.join("\n\n")}\n[File “${file.name}” ends]`;
}

/** The SDK would send tool results' files as files of an answer. */
export function splitResultFiles(messages: readonly SessionMessage[]): {
  readonly messages: readonly SessionMessage[];
  readonly ofResults: ReadonlyMap<string, readonly AttachedFile[]>;
} {
  const ofResults = new Map<string, AttachedFile[]>();
  const without = messages.map((message) => {
    if (!message.parts.some(({ isOfResult }) => isOfResult)) return message;
    let callId = "";
    const parts = message.parts.filter((part) => {
      if (typeof part.toolCallId === "string") callId = part.toolCallId;
      const file = part.isOfResult ? attachedFile(part) : null;
      if (file) ofResults.set(callId, [...(ofResults.get(callId) ?? []), file]);
      return !part.isOfResult;
    });
    return { ...message, parts };
  });
  return { messages: without, ofResults };
}

export async function withFileBytes(
  messages: readonly ModelMessage[],
  { files }: Pick<FileSource, "files">,
  ofResults: ReadonlyMap<string, readonly AttachedFile[]> = new Map(),
): Promise<ModelMessage[]> {
  if (ofResults.size === 0 && !messages.some(mayHoldFile)) return [...messages];
  const read = new Map<string, Promise<Uint8Array>>();
  const bytesOf = (sha256: string) => {
    const known = read.get(sha256) ?? readFile(files, sha256);
    read.set(sha256, known);
    return known;
  };
  return Promise.all(
    messages.map(async (message): Promise<ModelMessage> => {
      if (message.role === "tool") return withResultImages(message, { ofResults, bytesOf });
      if (message.role !== "user" || typeof message.content === "string") return message;
      const content = message.content.map(async (part): Promise<TextPart | FilePart> => {
        if (part.type === "image") throw new TypeError("Grove makes no image parts.");
        const sha256 = part.type === "file" ? hashOf(part) : null;
        if (sha256 === null || part.type !== "file") return part;
        return { ...part, data: { type: "data", data: await bytesOf(sha256) } };
      });
      return { ...message, content: await Promise.all(content) };
    }),
  );
}

async function withResultImages(
  message: ToolModelMessage,
  {
    ofResults,
    bytesOf,
  }: {
    readonly ofResults: ReadonlyMap<string, readonly AttachedFile[]>;
    readonly bytesOf: (sha256: string) => Promise<Uint8Array>;
  },
): Promise<ToolModelMessage> {
  const content = message.content.map(async (part) => {
    const files = part.type === "tool-result" ? ofResults.get(part.toolCallId) : undefined;
    if (part.type !== "tool-result" || !files || part.output.type !== "text") return part;
    const pictures = files.map(async ({ sha256, mediaType, name }) => ({
      ...{ type: "file" as const, mediaType, filename: name },
      data: { type: "data" as const, data: await bytesOf(sha256) },
    }));
    const text = { type: "text" as const, text: part.output.value };
    const value = [text, ...(await Promise.all(pictures))];
    return { ...part, output: { type: "content" as const, value } };
  });
  return { ...message, content: await Promise.all(content) };
}

function mayHoldFile({ role, content }: ModelMessage): boolean {
  return (
    role === "user" && typeof content !== "string" && content.some((part) => part.type !== "text")
  );
}

function hashOf({ data }: FilePart): string | null {
  const isUrl = typeof data === "object" && "type" in data && data.type === "url";
  return isUrl && data.url.protocol === "grove-file:" ? data.url.pathname : null;
}

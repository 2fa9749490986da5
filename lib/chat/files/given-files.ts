import type { FilePart, ModelMessage, TextPart } from "ai";
import type { SessionMessage, SessionMessagePart } from "grove-session";
import { type FileStore, readFile } from "@/lib/chat/core/file-store";
import {
  type AttachedFile,
  attachedFile,
  type FileTaking,
  fileGiving,
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

/** Gives the newest of many files; a note replaces those that the model does not take. */
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
      // The text of a program's tool result names it.
      if (part.isOfResult) return [];
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

/** A summary replaces the files, too, so it gets their texts, and notes for images. */
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

export async function withFileBytes(
  messages: readonly ModelMessage[],
  { files }: Pick<FileSource, "files">,
): Promise<ModelMessage[]> {
  if (!messages.some(mayHoldFile)) return [...messages];
  const read = new Map<string, Promise<Uint8Array>>();
  const bytesOf = (sha256: string) => {
    const known = read.get(sha256) ?? readFile(files, sha256);
    read.set(sha256, known);
    return known;
  };
  return Promise.all(
    messages.map(async (message): Promise<ModelMessage> => {
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

function mayHoldFile({ role, content }: ModelMessage): boolean {
  return (
    role === "user" && typeof content !== "string" && content.some((part) => part.type !== "text")
  );
}

function hashOf({ data }: FilePart): string | null {
  const isUrl = typeof data === "object" && "type" in data && data.type === "url";
  return isUrl && data.url.protocol === "grove-file:" ? data.url.pathname : null;
}

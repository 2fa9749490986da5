import type { UIMessageChunk } from "ai";
import type { SessionMessagePart } from "grove-session";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { FileStore } from "@/lib/chat/core/file-store";
import { attachedFile, filePart } from "@/lib/chat/wire/files";

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/** A file that cannot be stored becomes a text that says so. */
export async function storedChunks(
  files: FileStore,
  chunk: UIMessageChunk,
): Promise<UIMessageChunk[]> {
  const head = chunk.type === "file" ? dataUrl.exec(chunk.url)?.[0] : undefined;
  if (chunk.type !== "file" || head === undefined) return [chunk];
  try {
    const { sha256, mediaType } = await files.put(
      Buffer.from(chunk.url.slice(head.length), "base64"),
    );
    const { url } = filePart({ sha256, mediaType, size: 0, name: "" });
    return [{ ...chunk, mediaType, url }];
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return textChunks(`[A file of this answer was left out: ${error.message}]`);
  }
}

function textChunks(delta: string): UIMessageChunk[] {
  const id = crypto.randomUUID();
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta },
    { type: "text-end", id },
  ];
}

export async function withFileFacts(
  files: FileStore,
  parts: readonly SessionMessagePart[],
): Promise<readonly SessionMessagePart[]> {
  const named = parts.flatMap((part) => attachedFile(part)?.sha256 ?? []);
  if (named.length === 0) return parts;
  const stored = new Map((await files.touch(named)).map((file) => [file.sha256, file]));
  return parts.map((part) => {
    const file = stored.get(attachedFile(part)?.sha256 ?? "");
    return file ? { ...part, ...filePart({ ...file, name: answerFileName(file) }) } : part;
  });
}

function answerFileName({ mediaType }: { readonly mediaType: string }): string {
  const [kind = "", end = ""] = mediaType.split("/");
  return kind === "image"
    ? `Image.${end.replace("jpeg", "jpg").replace("svg+xml", "svg")}`
    : "File";
}

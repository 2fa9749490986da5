import { z } from "zod";
import type { FileStore } from "@/lib/chat/core/file-store";
import {
  type AttachedFile,
  attachedFile,
  fileKind,
  filePart,
  maxFileName,
} from "@/lib/chat/wire/files";
import type { SessionMessagePart } from "@/lib/session";
import type { InputItem, ItemFiles } from "./items";
import { programError } from "./program-error";
import type { JsonRecord } from "./response-writer";

const image = z.object({
  type: z.literal("input_image"),
  image_url: z.string().nullish(),
  file_id: z.string().nullish(),
});
const file = z.object({
  type: z.literal("input_file"),
  filename: z.string().max(maxFileName).nullish(),
  file_data: z.string().nullish(),
  file_url: z.string().nullish(),
  file_id: z.string().nullish(),
});
const content = z.discriminatedUnion("type", [image, file]);
type FileContent = z.output<typeof content>;

/**
 * Stores the images and files of users' messages, which come as data or by the id of one stored before. Grove opens no
 * addresses.
 *
 * @throws {ProgramError} @throws {ChatError} for a file that is too large or empty.
 */
export async function storeItemFiles(
  files: FileStore,
  items: readonly InputItem[],
  param = "input",
): Promise<ItemFiles> {
  const parts = new Map<object, SessionMessagePart>();
  for (const [index, item] of items.entries()) {
    if (!("role" in item) || item.role !== "user" || typeof item.content === "string") continue;
    for (const [at, entry] of item.content.entries()) {
      if (entry.type !== "input_image" && entry.type !== "input_file") continue;
      const place = `${param}[${index}].content[${at}]`;
      const given = content.safeParse(entry).data;
      if (!given) throw programError("invalid", `“${place}” is no image or file.`, place);
      parts.set(entry, filePart(await storedFile(files, given, place)));
    }
  }
  return parts;
}

async function storedFile(
  files: FileStore,
  given: FileContent,
  param: string,
): Promise<AttachedFile> {
  const isImage = given.type === "input_image";
  const data = isImage ? given.image_url : given.file_data;
  const name = isImage ? "Image" : (given.filename ?? "File");
  if (given.file_id) {
    const [found] = await files.whenRead([given.file_id.replace(/^file-/, "")]);
    if (found) return { ...found, name };
    throw programError("not-found", `No file has the id “${given.file_id}”.`, `${param}.file_id`);
  }
  const address = isImage ? data : given.file_url;
  if (address && /^https?:/i.test(address)) {
    const field = `${param}.${isImage ? "image_url" : "file_url"}`;
    throw programError("unsupported", "Grove opens no addresses. Send the data instead.", field);
  }
  const bytes = data ? bytesIn(data) : null;
  if (!bytes) {
    const field = `${param}.${isImage ? "image_url" : "file_data"}`;
    throw programError("invalid", `“${field}” is no data URL in base64.`, field);
  }
  return { ...(await files.put(bytes, { name })), name };
}

/** Of a data URL; of a file, the base64 alone is common. */
function bytesIn(data: string): Uint8Array | null {
  const base64 = data.replace(/^data:[^,]*;base64,/i, "");
  return z.base64().safeParse(base64).success && base64 !== ""
    ? Buffer.from(base64, "base64")
    : null;
}

/** The content that a file of a message reads as; its bytes stay in the store. `null` for another part. */
export function fileContent(part: SessionMessagePart): JsonRecord | null {
  const attached = attachedFile(part);
  if (!attached) return null;
  const fileId = `file-${attached.sha256}`;
  return fileKind(attached) === "image"
    ? { type: "input_image", detail: "auto", file_id: fileId, image_url: null }
    : { type: "input_file", file_id: fileId, filename: attached.name };
}

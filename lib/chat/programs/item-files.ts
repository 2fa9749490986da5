import type { SessionMessagePart } from "grove-session";
import { z } from "zod";
import type { FileStore } from "@/lib/chat/core/file-store";
import {
  type AttachedFile,
  attachedFile,
  fileKind,
  filePart,
  maxFileName,
} from "@/lib/chat/wire/files";
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
type InputFile = z.output<typeof content>;

/** Grove opens no addresses. @param params the list's name in the request, or each item's place, for errors. */
export async function storeItemFiles(
  files: FileStore,
  items: readonly InputItem[],
  params: string | readonly string[] = "input",
): Promise<ItemFiles> {
  const parts = new Map<object, SessionMessagePart>();
  for (const [index, item] of items.entries()) {
    const [field, entries] = contentOf(item);
    for (const [at, entry] of entries.entries()) {
      if (entry.type !== "input_image" && entry.type !== "input_file") continue;
      const param = typeof params === "string" ? `${params}[${index}]` : params[index];
      const place = `${param}.${field}[${at}]`;
      const given = content.safeParse(entry).data;
      if (!given) throw programError("invalid", `“${place}” is no image or file.`, place);
      parts.set(entry, filePart(await storedFile(files, given, place)));
    }
  }
  return parts;
}

function contentOf(item: InputItem): [field: string, entries: readonly { type: string }[]] {
  const isResult =
    "type" in item &&
    (item.type === "function_call_output" || item.type === "custom_tool_call_output");
  const isUsers = "role" in item && item.role === "user";
  const content = isResult ? item.output : isUsers ? item.content : [];
  return [isResult ? "output" : "content", typeof content === "string" ? [] : content];
}

async function storedFile(
  files: FileStore,
  given: InputFile,
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

function bytesIn(data: string): Uint8Array | null {
  const base64 = data.replace(/^data:[^,]*;base64,/i, "");
  return z.base64().safeParse(base64).success && base64 !== ""
    ? Buffer.from(base64, "base64")
    : null;
}

export function fileContent(part: SessionMessagePart): JsonRecord | null {
  const attached = attachedFile(part);
  if (!attached) return null;
  const fileId = `file-${attached.sha256}`;
  return fileKind(attached) === "image"
    ? { type: "input_image", detail: "auto", file_id: fileId, image_url: null }
    : { type: "input_file", file_id: fileId, filename: attached.name };
}

import { randomUUID } from "node:crypto";
import { fieldsOf, firstText, isFields, itemsOf } from "./read-values";

/** A picture that came with the text; its data is base64. */
export interface ReadFile {
  readonly mediaType: string;
  readonly data: string;
}

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)[^,]*;base64,([\s\S]+)$/i;

/** Text that stands for something else on its way through a package; no provider can guess it. */
export function newMark(): string {
  return `\0${randomUUID()}\0`;
}

/** Returns the text in place of a picture: a mark of its own, or the address of one elsewhere. */
export function pictureText(picture: unknown, files: Map<string, ReadFile>): string | null {
  const file = fileOf(picture);
  if (file) {
    const mark = newMark();
    files.set(mark, file);
    return mark;
  }
  const url = urlOf(picture);
  return url !== undefined && /^https?:\/\//i.test(url)
    ? `\n\n[Image](${encodeURI(decoded(url))})\n\n`
    : null;
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

function fileOf(picture: unknown): ReadFile | null {
  const [, mediaType, data] = dataUrl.exec(urlOf(picture) ?? "") ?? [];
  if (mediaType !== undefined && data !== undefined) return { mediaType, data };
  const {
    source,
    b64_json,
    inlineData,
    inline_data,
    data: own,
    mimeType,
    mime_type,
    media_type,
  } = fieldsOf(picture);
  const inner = inlineData ?? inline_data ?? source;
  if (isFields(inner)) return fileOf(inner);
  const bytes = firstText(b64_json, own);
  if (bytes === undefined) return null;
  return { mediaType: firstText(mimeType, mime_type, media_type) ?? "image/png", data: bytes };
}

function urlOf(picture: unknown): string | undefined {
  if (typeof picture === "string") return picture;
  const { image_url, imageUrl, url } = fieldsOf(picture);
  const address = image_url ?? imageUrl ?? url;
  return firstText(address, fieldsOf(address).url);
}

/** Fields in which compatible servers send pictures beside the text. */
export function picturesIn({
  images,
  image,
}: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [...itemsOf(images), ...itemsOf(image)];
}

import { randomUUID } from "node:crypto";
import { fieldsOf, firstText, isFields, itemsOf } from "./read-values";

export interface ReadFile {
  readonly mediaType: string;
  readonly data: string;
}

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)[^,]*;base64,([\s\S]+)$/i;

/** Placeholder for content that a package would drop; no provider can guess it. */
export function newMark(): string {
  return `\0${randomUUID()}\0`;
}

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

export function picturesIn({
  images,
  image,
}: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [...itemsOf(images), ...itemsOf(image)];
}

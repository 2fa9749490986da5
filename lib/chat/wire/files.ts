import { z } from "zod";

const prefix = "grove-file:";

/** In characters. */
export const maxFileName = 255;
export const maxAltText = 1_000;

export const fileHashSchema = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256");

/** Known about a file's content. */
export const fileFacts = z.object({
  /** In pixels, of an image. */
  width: z.int().positive().optional(),
  height: z.int().positive().optional(),
  pages: z.int().positive().optional(),
  /** Estimated: of its text, or of the image. */
  tokens: z.int().min(0).optional(),
  /** A sentence that says why nothing of it can be read. */
  problem: z.string().optional(),
});
export type FileFacts = z.output<typeof fileFacts>;

/** `POST /api/files?name=` with the bytes → 201; the same file again answers the same. */
export interface FileWire extends FileFacts {
  /** In lowercase hexadecimal. */
  sha256: string;
  /** In bytes. */
  size: number;
  /** By its bytes, not its name. */
  mediaType: string;
}

/** `GET /api/files/:sha256/pages?from=&limit=` */
export interface FilePagesWire {
  pages: {
    /** From 1. */
    page: number;
    /** Of a sheet; may be empty. */
    title: string;
    text: string;
  }[];
}

/** A file of a message: the part holds its name and facts, the store its bytes. */
export interface AttachedFile extends FileWire {
  name: string;
  /** A description by the person, for those who cannot see it. */
  alt?: string | undefined;
}

const partSchema = fileFacts.extend({
  type: z.literal("file"),
  url: z.string().startsWith(prefix),
  mediaType: z.string(),
  filename: z.string().catch("File"),
  size: z.int().min(0).catch(0),
  alt: z.string().optional(),
});

/** The stored file of a part; `null` for any other part, and for a file kept elsewhere. */
export function attachedFile(part: { readonly type: string }): AttachedFile | null {
  if (part.type !== "file") return null;
  const read = partSchema.safeParse(part);
  if (!read.success) return null;
  const { type: _, url, filename: name, ...file } = read.data;
  const sha256 = url.slice(prefix.length);
  return fileHashSchema.safeParse(sha256).success ? { ...file, name, sha256 } : null;
}

export function filePart({ sha256, name, ...file }: AttachedFile) {
  return { type: "file" as const, url: `${prefix}${sha256}`, filename: name, ...file };
}

/** `image` and `pdf`: models may take its bytes. `text`: they get its text. `other`: they get nothing of it. */
export type FileKind = "image" | "pdf" | "text" | "other";

const modelImages = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const documents = [
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/json",
  "message/rfc822",
  // An image to people, text to models.
  "image/svg+xml",
];

export function fileKind({ mediaType }: Pick<FileWire, "mediaType">): FileKind {
  if (modelImages.includes(mediaType)) return "image";
  if (mediaType === "application/pdf") return "pdf";
  return mediaType.startsWith("text/") || documents.includes(mediaType) ? "text" : "other";
}

/** A model's side of `fileGiving`. */
export interface FileTaking {
  readonly images: boolean;
  readonly pdfs: boolean;
}

/** `bytes` as they are, `text` instead of them, or `nothing`. */
export type FileGiving = "bytes" | "text" | "nothing";

export function fileGiving(
  file: Pick<AttachedFile, "mediaType" | "problem" | "tokens">,
  takes: FileTaking,
): FileGiving {
  if (file.problem !== undefined) return "nothing";
  const kind = fileKind(file);
  if (kind === "image") return takes.images ? "bytes" : "nothing";
  if (kind === "pdf" && takes.pdfs) return "bytes";
  if (kind === "other") return "nothing";
  // A scan has no text.
  return kind === "pdf" && !file.tokens ? "nothing" : "text";
}

/** A page as an image, which providers bill beside its text. */
const tokensPerPage = 1_000;

/** Estimated tokens of a file as it is given. */
export function fileTokens(file: AttachedFile, giving: FileGiving): number {
  if (giving === "nothing") return 0;
  const pages = giving === "bytes" && fileKind(file) === "pdf" ? (file.pages ?? 1) : 0;
  return (file.tokens ?? 0) + pages * tokensPerPage;
}

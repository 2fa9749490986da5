const prefix = "grove-file:";

export const maxFileName = 255;
export const maxAltText = 1_000;

export interface FileFacts {
  width?: number | undefined;
  height?: number | undefined;
  pages?: number | undefined;
  /** Estimate for the text, or the image. */
  tokens?: number | undefined;
  problem?: string | undefined;
  unread?: boolean | undefined;
}

export interface FileWire extends FileFacts {
  /** Lowercase hexadecimal. */
  sha256: string;
  size: number;
  /** Read from the bytes, not the name. */
  mediaType: string;
}

export interface NamedFileWire extends FileWire {
  /** The hash or its first twelve digits. */
  asked: string;
}

/** Bytes, each file once; `allowed` is `null` without a limit. */
export interface StorageWire {
  used: number;
  allowed: number | null;
}

export interface FilePagesWire {
  pages: {
    page: number;
    title: string;
    text: string;
  }[];
}

export interface AttachedFile extends FileWire {
  name: string;
  alt?: string | undefined;
}

const hash = /^grove-file:([0-9a-f]{64})$/;

/** `null` for a part that is no file, and for a file kept elsewhere. */
export function attachedFile(part: { readonly type: string }): AttachedFile | null {
  if (part.type !== "file") return null;
  const given: Readonly<Record<string, unknown>> = { ...part };
  const sha256 = hash.exec(textIn(given.url))?.[1];
  if (sha256 === undefined) return null;
  const facts: FileFacts = {
    width: countIn(given.width),
    height: countIn(given.height),
    pages: countIn(given.pages),
    tokens: countIn(given.tokens),
    problem: textIn(given.problem) || undefined,
  };
  return {
    sha256,
    size: countIn(given.size) ?? 0,
    mediaType: textIn(given.mediaType),
    name: textIn(given.filename) || "File",
    ...known({ ...facts, alt: textIn(given.alt) || undefined }),
  };
}

/** An import may bring other values. */
function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function countIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function known<Facts extends object>(facts: Facts): Facts {
  const entries = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Facts;
}

export function filePart({ sha256, name, ...file }: AttachedFile) {
  return { type: "file" as const, url: `${prefix}${sha256}`, filename: name, ...file };
}

/** `image` and `pdf`: models may take its bytes. `text`: they get its text. `other`: nothing of it. */
export type FileKind = "image" | "pdf" | "text" | "other";

const modelImages = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const documents = [
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.oasis.opendocument.presentation",
  "application/json",
  "message/rfc822",
  // SVG is an image to people, and text to models.
  "image/svg+xml",
];

export function fileKind({ mediaType }: Pick<FileWire, "mediaType">): FileKind {
  if (modelImages.includes(mediaType)) return "image";
  if (mediaType === "application/pdf") return "pdf";
  return mediaType.startsWith("text/") || documents.includes(mediaType) ? "text" : "other";
}

export interface FileTaking {
  readonly images: boolean | null;
  readonly pdfs: boolean | null;
  readonly resultImages?: boolean | undefined;
}

export type FileGiving = "bytes" | "text" | "nothing";

export function fileGiving(
  file: Pick<AttachedFile, "mediaType" | "problem" | "tokens" | "unread">,
  takes: FileTaking,
): FileGiving {
  if (file.problem !== undefined) return "nothing";
  const kind = fileKind(file);
  // A server that takes none says so, and is asked again without.
  if (kind === "image") return takes.images === false ? "nothing" : "bytes";
  if (kind === "pdf" && takes.pdfs) return "bytes";
  if (kind === "other") return "nothing";
  // A scan has no text.
  return kind === "pdf" && !file.tokens && !file.unread ? "nothing" : "text";
}

/** Providers refuse requests of more than 30 to 50 MB. */
const mostBytes = 24_000_000;

/** `null` when the model gets the file. Takes files newest first, since those are given while they fit. */
export function withholding(takes: FileTaking): (file: AttachedFile) => string | null {
  let bytes = 0;
  return (file) => {
    const giving = fileGiving(file, takes);
    if (giving === "nothing") return whyNot(file, takes);
    if (giving === "text") return null;
    if (file.size > mostBytes) return "it is larger than the 24 MB of a request";
    if (bytes + file.size > mostBytes)
      return "newer files of this chat fill the 24 MB of a request";
    bytes += file.size;
    return null;
  };
}

export function filesPushedOut(
  takes: FileTaking,
  { draft, earlier }: { draft: readonly AttachedFile[]; earlier: readonly AttachedFile[] },
): AttachedFile[] {
  const [alone, beside] = [withholding(takes), withholding(takes)];
  for (const file of draft.toReversed()) beside(file);
  return earlier.filter((file) => {
    const [before, now] = [alone(file), beside(file)];
    return before === null && now !== null;
  });
}

function whyNot(file: AttachedFile, takes: FileTaking): string {
  if (file.problem !== undefined) return file.problem.replace(/\.$/, "");
  if (fileKind(file) === "image") return "this model takes no images";
  if (fileKind(file) === "pdf") return whyNoPdf(takes);
  return "models do not read files of its type";
}

function whyNoPdf({ pdfs }: FileTaking): string {
  if (pdfs === false) return "it has no text, and this model takes no PDFs";
  return "it has no text, and Grove does not know whether this model takes PDFs";
}

/** Providers bill a page as an image beside its text. */
const tokensPerPage = 1_000;

export function fileTokens(file: AttachedFile, giving: FileGiving): number {
  if (giving === "nothing") return 0;
  const pages = giving === "bytes" && fileKind(file) === "pdf" ? (file.pages ?? 1) : 0;
  return (file.tokens ?? 0) + pages * tokensPerPage;
}

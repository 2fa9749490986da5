import { ChatError } from "@/lib/chat/core/chat-error";
import { type FileStore, fileNotFound } from "@/lib/chat/core/file-store";
import { type FileWire, maxFileName } from "@/lib/chat/wire/files";
import { dispositionOf } from "./download";
import { HttpError } from "./http-error";

const idleMs = 60_000;

export async function takeUpload(
  files: FileStore,
  request: Request,
  name: string,
): Promise<FileWire> {
  if (name.length > maxFileName) {
    const message = `The file's name is longer than ${maxFileName} characters. Rename it, then attach it again.`;
    throw new ChatError("bad-file-name", message, { field: "name" });
  }
  return files.put(arriving(request), { name, readsLater: true });
}

async function* arriving({ body, signal }: Request): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    while (reader) {
      signal.throwIfAborted();
      const { done, value } = await within(reader.read(), idleMs);
      if (done) return;
      yield value;
    }
  } finally {
    // The sender may be gone already.
    reader?.cancel().catch(() => undefined);
  }
}

export async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    const tooSlow = new HttpError(408, "too-slow", "The file stopped arriving.");
    timer = setTimeout(fail, ms, tooSlow);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Everything else is only downloaded: SVG and HTML would run in this origin. */
const shown = [
  ...["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"],
  "application/pdf",
];

/** The address names the bytes, so one person's browser may keep them for ever. */
const keptForGood = "private, max-age=31536000, immutable, no-transform";
/** The next person at that browser may not see the file. */
const askedEachTime = "private, no-cache, no-transform";

/** The browser's viewer of PDFs is a sandbox of its own, and does not open in another. */
const pdfPolicy =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const filePolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

interface FileRequest {
  readonly sha256: string;
  readonly name: string;
  readonly hasAccounts: boolean;
}

export async function fileResponse(
  files: FileStore,
  request: Request,
  { sha256, name, hasAccounts }: FileRequest,
): Promise<Response> {
  const isKnown = request.headers.get("if-none-match") === `"${sha256}"`;
  const [file, chunks] = await Promise.all([
    files.get(sha256),
    isKnown ? null : files.chunks(sha256),
  ]);
  if (!file || (!isKnown && !chunks)) throw fileNotFound();
  const { mediaType, size } = file;
  const headers = new Headers({
    "Content-Type": shown.includes(mediaType) ? mediaType : "application/octet-stream",
    "Content-Length": String(size),
    "Content-Disposition": dispositionOf(
      name || sha256,
      shown.includes(mediaType) ? "inline" : "attachment",
    ),
    "Content-Security-Policy": mediaType === "application/pdf" ? pdfPolicy : filePolicy,
    "Cache-Control": hasAccounts ? askedEachTime : keptForGood,
    "X-Content-Type-Options": "nosniff",
    ETag: `"${sha256}"`,
  });
  if (!chunks) return new Response(null, { status: 304, headers });
  return new Response(await streamOf(chunks), { headers });
}

/** Reading the first chunk early reports a missing place as such, not by a broken body. */
export async function streamOf(
  chunks: AsyncIterable<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  const source = chunks[Symbol.asyncIterator]();
  let next = await source.next();
  return new ReadableStream({
    async pull(controller) {
      if (next.done) return controller.close();
      controller.enqueue(next.value);
      next = await source.next();
    },
    async cancel() {
      await source.return?.();
    },
  });
}

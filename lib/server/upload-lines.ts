import { HttpError } from "./http-error";

const limits = { lineCharacters: 32_000_000, bytes: 4_000_000_000, idleMs: 60_000 };

/**
 * Reads the lines of an upload with backpressure.
 *
 * @throws {HttpError} 400 for invalid UTF-8, 408 when nothing arrives for a minute, 413 for a line or file too long.
 */
export async function* uploadLines(
  body: ReadableStream<Uint8Array> | null,
  { lineCharacters, bytes: mostBytes, idleMs } = limits,
): AsyncGenerator<string> {
  if (!body) return;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = body.getReader();
  let bytes = 0;
  let pieces: string[] = [];
  let waiting = 0;
  try {
    while (true) {
      const { done, value } = await within(reader.read(), idleMs);
      bytes += value?.byteLength ?? 0;
      if (bytes > mostBytes) throw tooLarge("The file is larger than 4 GB.");
      const [first = "", ...others] = decoded(decoder, value).split("\n");
      pieces.push(first);
      waiting += first.length;
      for (const next of others) {
        yield pieces.join("");
        pieces = [next];
        waiting = next.length;
      }
      if (waiting > lineCharacters) throw tooLarge("A line of the file is longer than 32 MB.");
      if (done) break;
    }
    if (waiting > 0) yield pieces.join("");
  } finally {
    // The sender may be gone already.
    reader.cancel().catch(() => undefined);
  }
}

async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(new HttpError(408, "too-slow", "The file stopped arriving.")),
      ms,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch (cause) {
    const error = new HttpError(400, "invalid-body", "The file is not UTF-8 text.");
    error.cause = cause;
    throw error;
  }
}

function tooLarge(message: string): HttpError {
  return new HttpError(413, "too-large", message);
}

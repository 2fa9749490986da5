export function download(
  lines: AsyncIterable<string>,
  { fileName, type, onEnd }: { fileName: string; type: string; onEnd?: () => Promise<void> },
): Response {
  const encoder = new TextEncoder();
  const source = lines[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (!done) return controller.enqueue(encoder.encode(value));
      await onEnd?.();
      controller.close();
    },
    async cancel() {
      await source.return?.();
    },
  });
  return new Response(body, {
    headers: { "Content-Type": type, "Content-Disposition": dispositionOf(fileName, "attachment") },
  });
}

/** @see https://www.rfc-editor.org/rfc/rfc6266 */
export function dispositionOf(fileName: string, shown: "inline" | "attachment"): string {
  const encoded = encodeURIComponent(fileName.toWellFormed());
  return `${shown}; filename="${asciiName(fileName)}"; filename*=UTF-8''${encoded}`;
}

export function fileNameOf(title: string, fallback: string): string {
  const name = title
    .replace(/[\p{C}\\/:*?"<>|]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 80)
    // The cut may be inside an emoji, of which no address can hold a half.
    .replace(/\p{Cs}$/u, "");
  return name.replace(/^\.+/, "") || fallback;
}

function asciiName(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
}

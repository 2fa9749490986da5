const forAllChats = new Set(["grove-export", "settings", "block", "document", "version", "end"]);

/**
 * Lines about all chats: settings, and memory outside of chats. The server takes none without the person's word, so a
 * missed line is not imported.
 */
export async function linesForAllChats(file: Blob): Promise<Blob> {
  const kept: string[] = [];
  let isInChat = false;
  for await (const line of linesIn(file)) {
    const type = typeOf(line);
    // The server recognizes a first line of another kind as no export.
    if (kept.length === 0) kept.push(`${line}\n`);
    else if (type === "session") isInChat = true;
    else if (type === "session-end") isInChat = false;
    else if (!isInChat && forAllChats.has(type)) kept.push(`${line}\n`);
  }
  return new Blob(kept);
}

async function* linesIn(file: Blob): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let pieces: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const [first = "", ...others] = value.split("\n");
    pieces.push(first);
    for (const next of others) {
      yield pieces.join("");
      pieces = [next];
    }
  }
  if (pieces.length > 0) yield pieces.join("");
}

/** Most lines begin with their type, so long ones are not parsed. */
function typeOf(line: string): string {
  const first = /^\s*\{\s*"type"\s*:\s*"([\w-]+)"/.exec(line.slice(0, 200))?.[1];
  if (first !== undefined) return first;
  try {
    const { type } = JSON.parse(line) as { type?: unknown };
    return String(type);
  } catch {
    return "";
  }
}

import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { SessionInfo, SessionMessage, SessionTreeProvider } from "@/lib/session";

const entriesAtOnce = 200;
const names = { user: "You", assistant: "Assistant", system: "System" } as const;

/**
 * The path to a leaf as Markdown, oldest message first, with originals instead of summaries; read in pages.
 */
export async function* markdownLines(
  messages: SessionTreeProvider,
  { info, leafId }: { info: SessionInfo; leafId: string | undefined },
): AsyncGenerator<string> {
  yield `# ${info.name.replace(/\s+/g, " ").trim() || "Conversation"}\n`;
  const { entries, leafId: leaf } = await messages.getWindow({
    ...(leafId !== undefined && { leafId }),
    limit: 1,
    overlays: false,
  });
  const last = entries.at(-1)?.position ?? 0;
  if (leaf === null) return;
  for (let after = 0; after < last; after += entriesAtOnce) {
    const stretch = await messages.getWindow({
      leafId: leaf,
      afterPosition: after,
      beforePosition: after + entriesAtOnce + 1,
      limit: entriesAtOnce,
      overlays: false,
    });
    for (const { message } of stretch.entries) yield markdownOf(message);
  }
}

/** A head as above, in the text of a message. The reader of Markdown takes the backslash away again. */
const headInText = /^\\*## (You|Assistant|System) · \d{4}-/;

function escapedLine(line: string): string {
  return headInText.test(line) ? `\\${line}` : line;
}

function markdownOf({
  role,
  parts,
  createdAt,
  metadata,
}: SessionMessage & { createdAt: Date }): string {
  const isEdited = ((metadata ?? {}) as GroveMetadata).editedFrom !== undefined;
  const text = parts
    .map((part) => {
      if (part.type === "text" && typeof part.text === "string")
        return part.text.split("\n").map(escapedLine).join("\n");
      if (part.type === "file") return `*File: ${String(part.filename ?? "without name")}*`;
      return part.type.startsWith("tool-") ? `*Used ${part.type.slice("tool-".length)}.*` : "";
    })
    .filter((each) => each !== "")
    .join("\n\n");
  return `\n## ${names[role]} · ${createdAt.toISOString()}${isEdited ? " · Edited by you" : ""}\n\n${text}\n`;
}

import type { SessionInfo, SessionMessage, SessionTreeProvider } from "grove-session";
import type { GroveMetadata } from "@/lib/chat/wire/messages";

const entriesAtOnce = 200;
const names = { user: "You", assistant: "Assistant", system: "System" } as const;

export async function* markdownLines(
  messages: SessionTreeProvider,
  { info, leafId }: { info: SessionInfo; leafId: string | undefined },
): AsyncGenerator<string> {
  yield `# ${info.name.replace(/\s+/g, " ").trim() || "Conversation"}\n`;
  let afterPosition: number | undefined;
  let leaf = leafId;
  for (let hasMore = true; hasMore; ) {
    const page = await messages.getWindow({
      ...{ leafId: leaf, afterPosition, limit: entriesAtOnce },
      ...{ oldest: true, overlays: false, siblings: false },
    });
    for (const { message } of page.entries) yield markdownOf(message);
    leaf = page.leafId ?? undefined;
    afterPosition = page.entries.at(-1)?.position;
    hasMore = page.hasMore;
  }
}

/** Heads within a message's text are escaped; readers of Markdown remove the backslash. */
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

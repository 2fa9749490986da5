import type { SessionInfo, SessionMessage, SessionTreeProvider } from "grove-session";
import type { WindowEntry } from "grove-session/ports";
import type { GroveMetadata } from "@/lib/chat/wire/messages";

const entriesAtOnce = 200;
const names = { user: "You", assistant: "Assistant", system: "System" } as const;

export async function* markdownLines(
  messages: SessionTreeProvider,
  { info, leafId }: { info: SessionInfo; leafId: string | undefined },
): AsyncGenerator<string> {
  yield `# ${titleOf(info)}\n`;
  for await (const { message } of pathEntries(messages, { leafId })) yield markdownOf(message);
}

export function titleOf({ name }: Pick<SessionInfo, "name">): string {
  return name.replace(/\s+/g, " ").trim() || "Conversation";
}

export async function* pathEntries(
  messages: Pick<SessionTreeProvider, "getWindow">,
  { leafId, after }: { leafId: string | undefined; after?: number | undefined },
): AsyncGenerator<WindowEntry> {
  let afterPosition = after;
  let leaf = leafId;
  for (let hasMore = true; hasMore; ) {
    const page = await messages.getWindow({
      ...{ leafId: leaf, afterPosition, limit: entriesAtOnce },
      ...{ oldest: true, overlays: false, siblings: false },
    });
    yield* page.entries;
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
      return part.type.startsWith("tool-") ? callLine(part) : "";
    })
    .filter((each) => each !== "")
    .join("\n\n");
  return `\n## ${names[role]} · ${createdAt.toISOString()}${isEdited ? " · Edited by you" : ""}\n\n${text}\n`;
}

function callLine({ type, state }: SessionMessage["parts"][number]): string {
  const done = state === undefined || state === "output-available";
  return `*${done ? "Used" : "Asked to call"} ${type.slice("tool-".length)}.*`;
}

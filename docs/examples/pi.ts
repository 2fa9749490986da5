import { isDeepStrictEqual } from "node:util";
import type { Session, SessionManager, SessionMessage } from "grove-session";

/** A line of a session file of pi, version 3. */
interface PiEntry {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
  readonly message?: PiMessage;
  /** A `custom_message` has its text here. */
  readonly content?: PiContent;
  readonly summary?: string;
  readonly firstKeptEntryId?: string;
  readonly targetId?: string;
  readonly label?: string;
  readonly name?: string;
}

type PiContent = string | readonly Record<string, string>[];

interface PiMessage {
  readonly role: string;
  readonly content?: PiContent;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  readonly command?: string;
  readonly output?: string;
  readonly excludeFromContext?: boolean;
}

export async function importPi(sessions: SessionManager, file: string): Promise<Session> {
  const [header = "", ...lines] = file.trim().split("\n");
  const pi = JSON.parse(header) as { id: string };
  await sessions.create("A session of pi", { id: pi.id, metadata: { pi } });
  const session = sessions.getSession(pi.id);
  for (const entry of lines.map((line) => JSON.parse(line) as PiEntry)) {
    const { type, id, parentId, timestamp, targetId = "", label } = entry;
    const message = { id, createdAt: new Date(timestamp), metadata: { pi: entry } };
    await session.appendMessage({ ...message, ...said(entry) }, parentId);
    if (type === "compaction") await summarize(session, entry);
    if (type === "session_info" && entry.name) await sessions.rename(pi.id, entry.name);
    if (type === "label" && label) await session.tree.setLabel(targetId, label);
    if (type === "label" && !label) await session.tree.setPinned(targetId, false);
  }
  return session;
}

/** A part of another type than text, file and tool calls is for programs, and no model reads it. */
const unread = { role: "assistant", parts: [{ type: "data-pi" }] } as const;

function said({
  type,
  message,
  content,
  summary,
}: PiEntry): Pick<SessionMessage, "role" | "parts"> {
  if (type === "branch_summary") return byUser(`Summary of the branch that was left:\n${summary}`);
  if (type === "custom_message") return byUser(content);
  if (message?.role === "user") return byUser(message.content);
  if (message?.role === "bashExecution" && !message.excludeFromContext)
    return byUser(`${message.command}\n${message.output}`);
  if (message?.role === "assistant") return { role: "assistant", parts: partsOf(message.content) };
  return message?.role === "toolResult" ? { role: "assistant", parts: [result(message)] } : unread;
}

function byUser(content: PiContent | undefined) {
  return { role: "user", parts: partsOf(content) } as const;
}

function partsOf(content: PiContent = ""): SessionMessage["parts"] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map(({ type = "", ...block }) => {
    if (type === "thinking") return { type: "reasoning", text: block.thinking };
    if (type === "image") {
      const { mimeType, data } = block;
      return { type: "file", mediaType: mimeType, url: `data:${mimeType};base64,${data}` };
    }
    if (type !== "toolCall") return { type, ...block };
    const { id: toolCallId, name, arguments: input } = block;
    return { type: `tool-${name}`, toolCallId, input, state: "input-available" };
  });
}

/** The session puts it into its call for a model. */
function result({ toolName, toolCallId, isError, content }: PiMessage) {
  const text = partsOf(content).flatMap((part) => part.text ?? []);
  const call = { type: `tool-${toolName}`, toolCallId };
  return isError
    ? { ...call, state: "output-error", errorText: text.join("\n") }
    : { ...call, state: "output-available", output: text.join("\n") };
}

/** Covers the path up to the first entry that pi kept. */
async function summarize(session: Session, { id, parentId, ...entry }: PiEntry): Promise<void> {
  const path = (await session.getHistory(parentId ?? undefined)).map((message) => message.id);
  const kept = path.indexOf(entry.firstKeptEntryId ?? id);
  const [first, last] = [path[0], kept === -1 ? path.at(-1) : path[kept - 1]];
  if (first && last) await session.addCompaction(entry.summary ?? "", first, last);
}

export async function exportPi(session: Session, header: object): Promise<string> {
  const leaf = await session.tree.getActiveLeaf();
  const nodes = await session.tree.getNodes();
  // Pi goes on at the last entry of a file.
  nodes.sort((one, other) => Number(one.id === leaf?.id) - Number(other.id === leaf?.id));
  const lines: object[] = [header];
  for (const { id, parentId } of nodes) {
    const message = await session.getMessage(id);
    if (message) lines.push({ ...entryOf(message), parentId });
  }
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

function textsOf(parts: SessionMessage["parts"]) {
  return parts.flatMap(({ type, text }) => (type === "text" ? [text] : []));
}

function withTexts({ message }: PiEntry, texts: SessionMessage["parts"]) {
  const content = message?.content ?? [];
  const others = typeof content === "string" ? [] : content.filter(({ type }) => type !== "text");
  return [...texts, ...others];
}

function entryOf({ id, role, parts, createdAt, metadata }: SessionMessage): object {
  const { pi } = (metadata ?? {}) as { readonly pi?: PiEntry };
  const content = parts.filter(({ type }) => type === "text");
  if (pi && isDeepStrictEqual(textsOf(said(pi).parts), textsOf(content))) return pi;
  // It was edited here.
  if (pi?.message) return { ...pi, message: { ...pi.message, content: withTexts(pi, content) } };
  const written = { id, timestamp: createdAt?.toISOString() };
  // Pi takes answers of its own models alone.
  return role === "user"
    ? { type: "message", ...written, message: { role, content, timestamp: Number(createdAt) } }
    : { type: "custom_message", ...written, customType: "grove", content, display: true };
}

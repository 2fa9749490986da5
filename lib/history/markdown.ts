import { textHash } from "./chat-records";
import { momentOf } from "./fields";
import { type ForeignChat, type ForeignNode, textPart } from "./foreign-chat";

const speakers: Record<string, ForeignNode["role"]> = {
  you: "user",
  user: "user",
  human: "user",
  me: "user",
  assistant: "assistant",
  chatgpt: "assistant",
  claude: "assistant",
  gemini: "assistant",
  ai: "assistant",
  model: "assistant",
  bot: "assistant",
  system: "system",
};

const fence = /^ {0,3}(`{3,}|~{3,})/;

/** A line that begins a message: “## You · 2026-01-31T10:00:00.000Z”, “**User:** text”, “ChatGPT:”. */
const opening =
  /^(?:#{1,6}\s+)?(?:\*\*|__)?(you|user|human|me|assistant|chatgpt|claude|gemini|ai|model|bot|system)(?: said)?(?:\s*·\s*(\d{4}-\S+))?\s*(:)?(?:\*\*|__)?\s*(:)?\s*(.*)$/i;

/** Within a message, Grove's own export puts a backslash before such a line. */
const ownHead = /^(\\*)## (You|Assistant|System) · (\d{4}-\d\d-\d\dT\S+Z)( · Edited by you)?$/;

/** A text without headings is one message. In Grove's own export only its heads name speakers. */
export function readMarkdown(given: string, { fileName }: { fileName: string }): ForeignChat {
  const [title, lines] = titled(given.replace(/^\uFEFF/, "").split(/\r?\n/));
  let hasSpeakers = false;
  const turns: { role: ForeignNode["role"]; createdAt: Date | null; lines: string[] }[] = [];
  const isOwn = ownTurnOf(lines.find((line) => line.trim() !== "") ?? "") !== null;
  let open: string | null = null;
  for (const line of lines) {
    if (isOwn) {
      const own = ownTurnOf(line);
      hasSpeakers = true;
      if (own) turns.push(own);
      else turns.at(-1)?.lines.push(ownHead.test(line) ? line.slice(1) : line);
      continue;
    }
    const [, mark] = fence.exec(line) ?? [];
    const turn = open === null ? turnOf(line) : null;
    if (mark && open === null) open = mark;
    else if (mark && open !== null && mark.startsWith(open)) open = null;
    if (turn) hasSpeakers = true;
    if (turn) turns.push(turn);
    else if (turns.length > 0) turns.at(-1)?.lines.push(line);
    else if (line.trim() !== "") turns.push({ role: "user", createdAt: null, lines: [line] });
  }
  const nodes = turns.map(({ role, createdAt, lines: said }, at): ForeignNode => {
    const parentId = at === 0 ? null : `message-${at}`;
    return { id: `message-${at + 1}`, parentId, role, parts: textPart(inner(said)), createdAt };
  });
  return {
    id: `markdown-${textHash(given)}`,
    product: "Markdown",
    title: title || fileName.replace(/\.(md|markdown)$/i, ""),
    createdAt: null,
    updatedAt: null,
    isPinned: false,
    isArchived: false,
    tags: [],
    nodes,
    currentId: nodes.at(-1)?.id ?? null,
    instructions: [],
    losses:
      turns.length > 0 && !hasSpeakers
        ? ["No speakers were found: the text is one message of yours."]
        : [],
  };
}

function ownTurnOf(line: string) {
  const [, escapes, name = "", time = ""] = ownHead.exec(line) ?? [];
  const role = speakers[name.toLowerCase()];
  if (escapes !== "" || !role) return null;
  return { role, createdAt: momentOf(time), lines: [] as string[] };
}

function titled(lines: readonly string[]): [string, readonly string[]] {
  const at = lines.findIndex((line) => line.trim() !== "");
  const [, title] = /^#\s+(.+)$/.exec(lines[at] ?? "") ?? [];
  return title && !turnOf(lines[at] ?? "") ? [title.trim(), lines.slice(at + 1)] : ["", lines];
}

function turnOf(line: string) {
  const [, name = "", time, colon, later, rest = ""] = opening.exec(line) ?? [];
  const role = speakers[name.toLowerCase()];
  const isMarked = /^(#{1,6}\s|\*\*|__)/.test(line);
  // “You: …” in running text is a name before a colon; “You are right” is a sentence.
  if (!role || (!colon && !later && (!isMarked || rest !== ""))) return null;
  const createdAt = time ? momentOf(time) : null;
  return { role, createdAt, lines: rest === "" ? [] : [rest] };
}

function inner(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first === -1 ? "" : lines.slice(first, last + 1).join("\n");
}

import type { SessionMessagePart } from "grove-session";
import { isToolPart } from "grove-session";
import type { SessionRecordOf } from "grove-session/ports";
import { assistantIn, parametersIn } from "@/lib/chat/core/settings-store";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { MemoryMode } from "@/lib/chat/wire/sessions";

type SessionRecord = SessionRecordOf<"session">;
type MessageRecord = SessionRecordOf<"message">;

/**
 * Strips an imported chat of anything that would count as the person's decision here: the prompt is rendered again,
 * memory changes need both settings, unknown metadata goes under `imported`, which Grove never interprets.
 */
export function admittedSession(record: SessionRecord, mode: MemoryMode): SessionRecord {
  const { metadata } = record;
  const { importedFrom, imported } = metadata;
  const { web: _, ...parameters } = parametersIn(metadata);
  const assistant = assistantIn(metadata);
  const unknown = Object.entries(metadata).filter(([key]) => !isOfGrove(key));
  const others = { ...(isObject(imported) && imported), ...Object.fromEntries(unknown) };
  return {
    ...record,
    frozenPrompt: null,
    frozenVersions: null,
    metadata: {
      memoryMode: stricterMode(metadata.memoryMode, mode),
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...(assistant && { assistant }),
      ...(importedFrom !== undefined && { importedFrom }),
      ...(Object.keys(others).length > 0 && { imported: others }),
    },
  };
}

const groveKeys = new Set([
  "memoryMode",
  "parameters",
  "assistant",
  "importedFrom",
  "imported",
  "givenTitle",
  "program",
  "conversation",
  "conversationMetadata",
  "conversationLeaf",
  "chatId",
]);

function isOfGrove(key: string): boolean {
  return groveKeys.has(key) || key.startsWith("allowed ") || key.startsWith("sentInFull ");
}

const modes: readonly MemoryMode[] = ["off", "ask", "on"];

function stricterMode(given: unknown, mode: MemoryMode): MemoryMode {
  return modes.find((each) => each === given || each === mode) ?? mode;
}

export function admittedMessage(record: MessageRecord): MessageRecord {
  const { content } = record;
  const metadata = admittedMetadata(content.metadata);
  const isSame = metadata === content.metadata && !content.parts.some(isDecided);
  if (isSame) return record;
  const parts = content.parts.map((part) => (isDecided(part) ? undecidedPart(part) : part));
  return { ...record, content: { ...content, parts, ...(metadata !== undefined && { metadata }) } };
}

function admittedMetadata(metadata: unknown): unknown {
  if (!isObject(metadata)) return metadata;
  const { status, pausedAt, ...others } = metadata as GroveMetadata;
  if (status !== "paused" && pausedAt === undefined) return metadata;
  const ended = status === "paused" ? "stopped" : status;
  return { ...others, ...(ended !== undefined && { status: ended }) };
}

function isDecided(part: SessionMessagePart): boolean {
  return isToolPart(part) && (part.approval !== undefined || isWaiting(part));
}

function isWaiting({ state }: SessionMessagePart): boolean {
  return state === "approval-requested" || state === "approval-responded";
}

function undecidedPart({ approval, ...part }: SessionMessagePart): SessionMessagePart {
  const isDenied = isObject(approval) && approval.approved === false;
  if (!isWaiting(part)) return { ...part, type: part.type, ...(isDenied && { approval }) };
  if (isDenied) return { ...part, type: part.type, state: "output-denied", approval };
  return { ...part, type: part.type, state: "output-error", errorText: notMade };
}

const notMade = "This call was not made: the chat was imported before it.";

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

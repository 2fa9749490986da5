import { parametersIn } from "@/lib/chat/core/settings-store";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { SessionMessagePart } from "@/lib/session";
import { isToolPart, type SessionRecordOf } from "@/lib/session/internal";

type SessionRecord = SessionRecordOf<"session">;
type MessageRecord = SessionRecordOf<"message">;

/**
 * A chat of a file as it is imported: without anything that would count as a decision of the person here. The prompt is
 * rendered again, and the model may change memory only as far as both the file and the person's own setting allow.
 * Metadata that Grove does not know is kept under `imported`, where no version of Grove looks for a meaning.
 */
export function admittedSession(record: SessionRecord, mode: MemoryMode): SessionRecord {
  const { metadata } = record;
  const { importedFrom, imported } = metadata;
  const parameters = parametersIn(metadata);
  const unknown = Object.entries(metadata).filter(([key]) => !isOfGrove(key));
  const others = { ...(isObject(imported) && imported), ...Object.fromEntries(unknown) };
  return {
    ...record,
    frozenPrompt: null,
    frozenVersions: null,
    metadata: {
      memoryMode: stricterMode(metadata.memoryMode, mode),
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...(importedFrom !== undefined && { importedFrom }),
      ...(Object.keys(others).length > 0 && { imported: others }),
    },
  };
}

const groveKeys = new Set([
  "memoryMode",
  "parameters",
  "importedFrom",
  "imported",
  "givenTitle",
  "program",
  "conversation",
  "conversationMetadata",
  "conversationLeaf",
  "chatId",
]);

/** The last two begin a key for each tool and each call: what the person allowed, and what is sent in full. */
function isOfGrove(key: string): boolean {
  return groveKeys.has(key) || key.startsWith("allowed ") || key.startsWith("sentInFull ");
}

const modes: readonly MemoryMode[] = ["off", "ask", "on"];

function stricterMode(given: unknown, mode: MemoryMode): MemoryMode {
  return modes.find((each) => each === given || each === mode) ?? mode;
}

/** A message of a file without decisions about its calls: one that waited is not made, and nothing says it was allowed. */
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

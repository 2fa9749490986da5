import { ExportDamagedError } from "../errors";
import { assertConsistent } from "./assert-consistent";
import {
  type ExportedDocument,
  type ExportedSession,
  portableFormat,
  type SessionRecordOf,
  sessionFileRecord,
} from "./session-records";

type RecordLine = ReturnType<typeof sessionFileRecord.parse>;

/** The last line shows that the text is complete. */
export function sessionText(exported: ExportedSession): string {
  const { session, messages, compactions, skills, blocks, documents, answers } = exported;
  const lines: RecordLine[] = [
    { type: "grove-export", format: portableFormat, exportedAt: new Date().toISOString() },
    session,
    ...messages,
    ...compactions,
    ...skills,
    ...blocks,
    ...documents.flatMap(({ history, ...document }) => [document, ...history]),
    ...answers,
    { type: "session-end", id: session.id, messages: messageCount(exported) },
    { type: "end", sessions: 1 },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** @throws {ExportDamagedError} naming the line. */
export function parseSessionText(text: string): ExportedSession {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const [header, ...records] = lines.map((line, index) => recordOf(line, index + 1));
  if (header?.type !== "grove-export")
    throw new ExportDamagedError("it has no header", { line: 1 });
  const end = records.pop();
  if (end?.type !== "end" || end.sessions !== 1)
    throw new ExportDamagedError("it is cut off", { line: lines.length });
  const exported = sessionOf(records);
  assertConsistent(exported);
  return exported;
}

function recordOf(line: string, number: number): RecordLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new ExportDamagedError("it is no JSON", { line: number, cause });
  }
  const result = sessionFileRecord.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ExportDamagedError(
    isNewer(value) ? "a newer version wrote it" : (issue?.message ?? "it does not fit"),
    { line: number, field: issue?.path.join("."), cause: result.error },
  );
}

function isNewer(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("format" in value)) return false;
  return typeof value.format === "number" && value.format > portableFormat;
}

function sessionOf([session, ...records]: readonly RecordLine[]): ExportedSession {
  if (session?.type !== "session") throw new ExportDamagedError("it has no session", { line: 2 });
  const end = records.pop();
  if (end?.type !== "session-end" || end.id !== session.id)
    throw new ExportDamagedError("the session has no end");
  const exported = {
    session,
    messages: [] as (SessionRecordOf<"message"> | SessionRecordOf<"gap">)[],
    compactions: [] as SessionRecordOf<"compaction">[],
    skills: [] as SessionRecordOf<"skill">[],
    blocks: [] as SessionRecordOf<"block">[],
    documents: [] as (ExportedDocument & { history: SessionRecordOf<"version">[] })[],
    answers: [] as SessionRecordOf<"answer">[],
  };
  for (const [index, record] of records.entries()) {
    switch (record.type) {
      case "message":
      case "gap":
        exported.messages.push(record);
        break;
      case "compaction":
        exported.compactions.push(record);
        break;
      case "skill":
        exported.skills.push(record);
        break;
      case "block":
        exported.blocks.push(record);
        break;
      case "document":
        exported.documents.push({ ...record, history: [] });
        break;
      case "version":
        if (!exported.documents.at(-1)?.history.push(record))
          throw new ExportDamagedError("a version has no document", { line: index + 3 });
        break;
      case "answer":
        exported.answers.push(record);
        break;
      default:
        throw new ExportDamagedError(`“${record.type}” is out of place`, { line: index + 3 });
    }
  }
  if (end.messages !== messageCount(exported)) throw new ExportDamagedError("messages are missing");
  return exported;
}

function messageCount({ messages }: Pick<ExportedSession, "messages">): number {
  return messages.filter(({ type }) => type === "message").length;
}

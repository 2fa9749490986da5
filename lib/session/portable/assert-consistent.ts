import { compactionIdOf } from "../compaction-message";
import { ExportDamagedError } from "../errors";
import { isStorableId } from "../stored-body";
import type { ExportedDocument, ExportedSession } from "./session-records";

/** @throws {ExportDamagedError} for records that make no tree with its memory. */
export function assertConsistent(exported: ExportedSession): void {
  if (!isStorableId(exported.session.id))
    throw new ExportDamagedError(`“${exported.session.id}” cannot be the id of a session`);
  const parents = parentsOf(exported);
  assertMarks(exported, parents);
  assertSummaries(exported, parents);
  for (const block of exported.blocks) assertScope(block.scope, exported);
  for (const document of exported.documents) {
    assertScope(document.scope, exported);
    assertHistory(document);
  }
}

function parentsOf({ messages }: ExportedSession): ReadonlyMap<string, string | null> {
  const parents = new Map<string, string | null>();
  for (const { id, parentId } of messages) {
    if (!isStorableId(id) || compactionIdOf(id) !== null)
      throw new ExportDamagedError(`“${id}” cannot be the id of a message`);
    if (parents.has(id)) throw new ExportDamagedError(`the message id “${id}” occurs twice`);
    if (parentId !== null && !parents.has(parentId))
      throw new ExportDamagedError(`no earlier message has the id “${parentId}”`);
    parents.set(id, parentId);
  }
  return parents;
}

function assertMarks(
  { session, messages, skills }: ExportedSession,
  parents: ReadonlyMap<string, string | null>,
): void {
  const shown = new Set(messages.flatMap(({ type, id }) => (type === "message" ? [id] : [])));
  const marked = [...skills.map(({ messageId }) => messageId), ...session.leafIds];
  const { activeLeafId } = session;
  const unknown = marked.find((id) => !parents.has(id));
  if (unknown !== undefined) throw new ExportDamagedError(`no message has the id “${unknown}”`);
  if (activeLeafId !== null && !shown.has(activeLeafId))
    throw new ExportDamagedError(`no message has the id “${activeLeafId}”`);
}

function assertSummaries(
  { compactions }: ExportedSession,
  parents: ReadonlyMap<string, string | null>,
): void {
  const ids = new Set<string>();
  for (const { id, fromMessageId, toMessageId } of compactions) {
    if (ids.has(id)) throw new ExportDamagedError(`the summary id “${id}” occurs twice`);
    ids.add(id);
    let at: string | null | undefined = toMessageId;
    while (at != null && at !== fromMessageId) at = parents.get(at);
    if (at == null || !parents.has(at))
      throw new ExportDamagedError(`the summary “${id}” does not begin on the path to its end`);
  }
}

function assertScope(scope: string, { session }: ExportedSession): void {
  if (scope !== session.id)
    throw new ExportDamagedError(`memory of another session, “${scope}”, is in it`);
}

function assertHistory({ label, versions, history }: ExportedDocument): void {
  const isCounted = history.every(({ version }, index) => version === index + 1);
  if (history.length !== versions || !isCounted)
    throw new ExportDamagedError(`versions of “${label}” are missing`);
}

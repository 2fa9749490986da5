import { requireRecord } from "./edits";
import { pathWithDeleted } from "./paths";
import { emptyTree, type SessionTree, type TreeRecord } from "./session-tree";

export function forkTree(
  source: SessionTree,
  atMessageId: string,
  { withSideBranches = false }: { withSideBranches?: boolean | undefined } = {},
): SessionTree {
  const leaf = requireRecord(source, atMessageId);
  const path = new Set(pathWithDeleted(source, atMessageId).map((record) => record.body.id));
  const taken = withSideBranches ? withBranches(source, path, atMessageId) : path;
  const isTaken = (record: TreeRecord) => taken.has(record.body.id);
  const fork = emptyTree();
  for (const record of source.records.values()) {
    if (isTaken(record)) fork.records.set(record.body.id, record);
  }
  const clock = source.clock + 1;
  fork.records.set(atMessageId, { ...leaf, usedAt: clock });
  for (const [id, overlay] of source.overlays) {
    if (taken.has(overlay.compaction.toMessageId)) fork.overlays.set(id, overlay);
  }
  return Object.assign(fork, {
    skillsBeforeMessages: source.skillsBeforeMessages,
    activeLeafId: atMessageId,
    clock,
  });
}

function withBranches(
  source: SessionTree,
  path: ReadonlySet<string>,
  atMessageId: string,
): Set<string> {
  const taken = new Set(path);
  // In append order, parents come before their children.
  for (const { body, parentId } of source.records.values()) {
    if (parentId !== null && parentId !== atMessageId && taken.has(parentId)) taken.add(body.id);
  }
  return taken;
}

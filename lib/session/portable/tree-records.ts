import type { Compaction } from "../session-provider";
import type { SkillEvent } from "../skill-events";
import { fromStoredBody, toStoredBody } from "../stored-body";
import { liveCompactions } from "../tree/compactions";
import { leavesByUse, liveRecord } from "../tree/paths";
import { emptyTree, type SessionTree, type TreeRecord } from "../tree/session-tree";
import type { ExportedSession, SessionRecordOf } from "./session-records";

type TreeRecords = Pick<ExportedSession, "messages" | "compactions" | "skills"> &
  Pick<SessionRecordOf<"session">, "activeLeafId" | "leafIds" | "skillsBefore">;

const gapDeletion = "gap";

/**
 * In append order. A summary's ends decide on which paths it is visible, so deleted ends become gaps; one with an end
 * above no message is left out.
 */
export function treeRecords(
  tree: SessionTree,
  summaries: readonly Compaction[] = liveCompactions(tree),
): TreeRecords {
  const ends = new Set(
    summaries.flatMap(({ fromMessageId, toMessageId }) => [fromMessageId, toMessageId]),
  );
  const isKept = ({ body, deletionId }: TreeRecord) => deletionId === null || ends.has(body.id);
  const written = new Set<string>();
  const messages: TreeRecords["messages"][number][] = [];
  const write = (record: TreeRecord): void => {
    if (written.has(record.body.id)) return;
    const parent = keptParent(tree, record, isKept);
    if (parent) write(parent);
    written.add(record.body.id);
    messages.push(nodeOf(record, parent?.body.id ?? null));
  };
  // Parents come first in append order, so the recursion only passes gaps.
  for (const record of tree.records.values()) if (record.deletionId === null) write(record);
  const kept = summaries.filter(
    ({ fromMessageId, toMessageId }) => written.has(fromMessageId) && written.has(toMessageId),
  );
  if (kept.length < summaries.length) return treeRecords(tree, kept);
  return {
    messages,
    compactions: kept.map(({ metadata, createdAt, ...summary }) => ({
      type: "compaction",
      ...summary,
      metadata: { ...metadata },
      createdAt: createdAt.toISOString(),
    })),
    skills: messages.flatMap(({ id }) => skillsAt(tree, id)),
    activeLeafId: liveRecord(tree, tree.activeLeafId)?.body.id ?? null,
    leafIds: leavesByUse(tree).map(({ body }) => body.id),
    skillsBefore: [...tree.skillsBeforeMessages],
  };
}

export function treeOf({ session, messages, compactions, skills }: ExportedSession): SessionTree {
  const tree = emptyTree();
  const recordedSkills = new Map<string, SkillEvent[]>();
  for (const { messageId, label, key, action } of skills) {
    const earlier = recordedSkills.get(messageId) ?? [];
    recordedSkills.set(messageId, [...earlier, { label, key, action }]);
  }
  const usedAt = new Map(session.leafIds.map((id, index) => [id, messages.length + 1 + index]));
  for (const node of messages) {
    const order = ++tree.clock;
    tree.records.set(node.id, {
      ...recordOf(node),
      parentId: node.parentId,
      order,
      usedAt: usedAt.get(node.id) ?? order,
      recordedSkills: recordedSkills.get(node.id) ?? [],
      writtenIn: session.id,
    });
  }
  tree.clock += session.leafIds.length;
  for (const { type: _, metadata, createdAt, ...compaction } of compactions) {
    tree.overlays.set(compaction.id, {
      compaction: {
        ...compaction,
        createdAt: new Date(createdAt),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      },
      order: ++tree.clock,
      removed: false,
    });
  }
  tree.skillsBeforeMessages = session.skillsBefore;
  tree.activeLeafId = session.activeLeafId;
  return tree;
}

function recordOf(
  node: ExportedSession["messages"][number],
): Pick<TreeRecord, "body" | "pinned" | "label" | "deletionId"> {
  if (node.type === "gap") {
    const body = toStoredBody({ id: node.id, role: "user", parts: [] }, new Date(0));
    return { body, pinned: false, label: null, deletionId: gapDeletion };
  }
  const { id, role, content, pinned, label } = node;
  const body = toStoredBody(
    { ...content, id, role, createdAt: undefined },
    new Date(node.createdAt),
  );
  // Earlier versions kept names apart from bookmarks.
  return { body, pinned: pinned || label !== null, label, deletionId: null };
}

function nodeOf(record: TreeRecord, parentId: string | null): TreeRecords["messages"][number] {
  const { id, role, createdAt, parts, ...rest } = fromStoredBody(record.body);
  if (record.deletionId !== null) return { type: "gap", id, parentId };
  return {
    type: "message",
    id,
    parentId,
    role,
    createdAt: createdAt.toISOString(),
    pinned: record.pinned,
    label: record.label,
    content: { parts: [...parts], ...rest },
  };
}

function keptParent(
  tree: SessionTree,
  { parentId }: TreeRecord,
  isKept: (record: TreeRecord) => boolean,
): TreeRecord | undefined {
  let parent = parentId === null ? undefined : tree.records.get(parentId);
  while (parent && !isKept(parent)) {
    parent = parent.parentId === null ? undefined : tree.records.get(parent.parentId);
  }
  return parent;
}

function skillsAt(tree: SessionTree, messageId: string): SessionRecordOf<"skill">[] {
  const { recordedSkills = [] } = liveRecord(tree, messageId) ?? {};
  return recordedSkills.map((event) => ({ type: "skill", messageId, ...event }));
}

import type { LoadedSkill } from "../session-provider";
import { loadedAfter, type SkillEvent, skillEvents } from "../skill-events";
import { change } from "./edits";
import type { SessionTree, TreeRecord } from "./session-tree";
import { livePath } from "./visible-path";

export function loadedSkills(tree: SessionTree, leafId: string | null): LoadedSkill[] {
  const onPath = livePath(tree, leafId).flatMap(({ record }) => eventsOf(record));
  return loadedAfter([...tree.skillsBeforeMessages, ...onPath]);
}

export function recordSkill(tree: SessionTree, event: SkillEvent): void {
  const leaf = tree.activeLeafId === null ? undefined : tree.records.get(tree.activeLeafId);
  if (!leaf) tree.skillsBeforeMessages = [...tree.skillsBeforeMessages, event];
  else change(tree, leaf.body.id, { recordedSkills: [...leaf.recordedSkills, event] });
}

function eventsOf(record: TreeRecord): SkillEvent[] {
  const parts = JSON.parse(record.body.parts) as Parameters<typeof skillEvents>[0]["parts"];
  return [...skillEvents({ parts }), ...record.recordedSkills];
}

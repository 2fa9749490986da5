import type { Compaction } from "../session-provider";
import type { SkillEvent } from "../skill-events";
import type { StoredBody } from "../stored-body";

export interface TreeRecord {
  readonly body: StoredBody;
  readonly parentId: string | null;
  readonly order: number;
  /** Append, or last activation of the leaf in its place, on the scale of `order`. */
  readonly usedAt: number;
  readonly pinned: boolean;
  readonly label: string | null;
  readonly deletionId: string | null;
  /** A person's loads and unloads while this was the active leaf. */
  readonly recordedSkills: readonly SkillEvent[];
  /** A fork has records of its source. */
  readonly writtenIn: string;
}

export interface TreeOverlay {
  readonly compaction: Compaction;
  readonly order: number;
  readonly removed: boolean;
}

interface TreeDeletion {
  readonly named: readonly string[];
  readonly messageIds: readonly string[];
  readonly sameAs: string | null;
  /** Undo restores the active leaf only if nothing else became active. */
  readonly leafBefore: string | null;
  readonly leafAfter: string | null;
}

/** A session's messages with parent pointers: the simplest model of the tree. */
export interface SessionTree {
  readonly records: Map<string, TreeRecord>;
  readonly overlays: Map<string, TreeOverlay>;
  readonly deletions: Map<string, TreeDeletion>;
  skillsBeforeMessages: readonly SkillEvent[];
  activeLeafId: string | null;
  clock: number;
}

export function emptyTree(): SessionTree {
  return {
    records: new Map(),
    overlays: new Map(),
    deletions: new Map(),
    skillsBeforeMessages: [],
    activeLeafId: null,
    clock: 0,
  };
}

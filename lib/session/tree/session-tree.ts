import type { Compaction } from "@/lib/session/session-provider";
import type { SkillEvent } from "@/lib/session/skill-events";
import type { StoredBody } from "@/lib/session/stored-body";

export interface TreeRecord {
  readonly body: StoredBody;
  readonly parentId: string | null;
  /** Increases with every append of the session. */
  readonly order: number;
  /** Its append, or the last activation of the leaf in its place, on the same scale as `order`. */
  readonly usedAt: number;
  readonly pinned: boolean;
  readonly label: string | null;
  readonly deletionId: string | null;
  /** Loaded or unloaded by a person while this was the active leaf. */
  readonly recordedSkills: readonly SkillEvent[];
  /** The session it was written in; a fork has records of its source. */
  readonly writtenIn: string;
}

export interface TreeOverlay {
  readonly compaction: Compaction;
  readonly order: number;
  readonly removed: boolean;
}

interface TreeDeletion {
  /** As requested, sorted. */
  readonly named: readonly string[];
  readonly messageIds: readonly string[];
  /** The earlier deletion of the same, when there was nothing left to delete. */
  readonly sameAs: string | null;
  /** Undo restores the active leaf only if nothing else became active. */
  readonly leafBefore: string | null;
  readonly leafAfter: string | null;
}

/** A session's messages with parent pointers: the simplest model of the tree. */
export interface SessionTree {
  /** In append order. */
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

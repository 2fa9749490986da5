import type { Compaction } from "@/lib/session/session-provider";
import type { SkillEvent } from "@/lib/session/skill-events";
import type { StoredBody } from "@/lib/session/stored-body";

/** One message with the parent it was appended under, which may have been deleted since. */
export interface TreeRecord {
  readonly body: StoredBody;
  readonly parentId: string | null;
  /** Grows with every append of the session. */
  readonly order: number;
  /** When it was last appended or made the active leaf, on the same scale as `order`. */
  readonly usedAt: number;
  readonly pinned: boolean;
  readonly label: string | null;
  /** Set while the message is deleted. */
  readonly deletionId: string | null;
  /** Loads and unloads by a person while this was the active leaf. */
  readonly recordedSkills: readonly SkillEvent[];
  /** The session it was written in; a fork carries records of its source. */
  readonly writtenIn: string;
}

export interface TreeOverlay {
  readonly compaction: Compaction;
  readonly order: number;
  readonly removed: boolean;
}

export interface TreeDeletion {
  readonly messageIds: readonly string[];
  /** The active leaf before and after, so that undoing can bring it back if nothing else became active. */
  readonly leafBefore: string | null;
  readonly leafAfter: string | null;
}

/** A session's messages by parent pointer: the plainest model of the tree, kept in memory. */
export interface SessionTree {
  /** In order of appending. */
  readonly records: Map<string, TreeRecord>;
  readonly overlays: Map<string, TreeOverlay>;
  readonly deletions: Map<string, TreeDeletion>;
  /** Loads and unloads by a person before the first message. */
  skillsBeforeMessages: readonly SkillEvent[];
  activeLeafId: string | null;
  /** The last number given to an order. */
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

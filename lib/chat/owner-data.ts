import type { SessionStore } from "@/lib/session";
import type { BlockStore } from "@/lib/session/internal";
import type { SkillSource } from "@/lib/skills";
import type { RunStore } from "./answering/run-store";
import type { UsageLog } from "./answering/usage";
import type { FileStore } from "./files/file-store";
import type { OwnerTools } from "./tools/owner-tools";
import type { MemoryMode } from "./wire/sessions";

/** External skills as a read-only block. */
export interface SourceBlock {
  readonly label: string;
  readonly description: string;
  /** Location, shown to the person. */
  readonly origin: string;
  readonly source: SkillSource;
}

/** Something deleted that can be restored; see `DeletedWire`. */
export interface Deleted {
  readonly id: string;
  readonly kind: "messages" | "session" | "block" | "entry";
  readonly deletedAt: Date;
  readonly sessionId: string | null;
  readonly sessionTitle: string | null;
  readonly blockId: string | null;
  readonly label: string | null;
  readonly blockKind: string | null;
  readonly key: string | null;
  readonly title: string;
  readonly count: number;
}

/** Deletions of an owner that can be undone. */
export interface DeletionStore {
  /** Newest first, from the deletion `after` on. */
  list(page: { limit: number; after?: string | undefined }): Promise<Deleted[]>;
  /** `null` for one that is unknown or restored. Its chat or section may be deleted, too. */
  get(deletionId: string): Promise<Deleted | null>;
  /** The deletion that a request with this id made or found, restored or not; `null` for an unknown id. */
  madeBy(deletionId: string): Promise<{ id: string; kind: Deleted["kind"] } | null>;
  /** Removes for good. @returns `null` for an unknown one, false for one that was restored. */
  remove(deletionId: string): Promise<boolean | null>;
}

/** Everything of one owner for the use cases, bound to that owner. */
export interface OwnerData {
  readonly ownerId: string;
  readonly store: SessionStore;
  readonly runs: RunStore;
  readonly usage: UsageLog;
  readonly blocks: BlockStore;
  readonly files: FileStore;
  readonly deletions: DeletionStore;
  readonly sourceBlocks: readonly SourceBlock[];
  readonly tools: OwnerTools;
  /** Memory mode of new sessions. */
  defaultMemoryMode(): Promise<MemoryMode>;
}

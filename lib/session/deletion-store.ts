/** Something deleted that can be restored. Ids of what it does not concern are `null`. */
export interface Deleted {
  readonly id: string;
  readonly kind: "messages" | "session" | "block" | "entry";
  readonly deletedAt: Date;
  /** `null` for memory of every session. */
  readonly sessionId: string | null;
  readonly sessionTitle: string | null;
  readonly blockId: string | null;
  readonly label: string | null;
  readonly blockKind: string | null;
  readonly key: string | null;
  /** Of the session or entry, or the beginning of the first message; may be empty. */
  readonly title: string;
  /** Messages, or an entry and its files. */
  readonly count: number;
}

/** Deletions of an owner that can be undone. */
export interface DeletionStore {
  /** Newest first, from the deletion `after` on, without what belongs to a deleted session or block. */
  list(page: { limit: number; after?: string | undefined }): Promise<Deleted[]>;
  /** `null` for one that is unknown or restored. Its session or block may be deleted, too. */
  get(deletionId: string): Promise<Deleted | null>;
  /** The deletion that a request with this id made or found, restored or not; `null` for an unknown id. */
  madeBy(deletionId: string): Promise<{ id: string; kind: Deleted["kind"] } | null>;
  /** Removes for good. @returns `null` for an unknown one, false for one that was restored. */
  remove(deletionId: string): Promise<boolean | null>;
}

import type { BlockKind } from "./context-provider";

export interface Deleted {
  readonly id: string;
  readonly kind: "messages" | "session" | "block" | "entry";
  readonly deletedAt: Date;
  /** `null` for memory of every session. */
  readonly sessionId: string | null;
  readonly sessionTitle: string | null;
  readonly blockId: string | null;
  readonly label: string | null;
  readonly blockKind: BlockKind | null;
  readonly key: string | null;
  /** The session's or entry's title, or the beginning of the first message; may be empty. */
  readonly title: string;
  /** Messages, or an entry and its files. */
  readonly count: number;
}

export interface DeletionStore {
  /** Newest first, from the deletion `after` on, without parts of a deleted session or block. */
  list(page: { limit: number; after?: string | undefined }): Promise<Deleted[]>;
  /** `null` when unknown or restored. */
  get(deletionId: string): Promise<Deleted | null>;
  /** The deletion that a request with this id made or found, restored or not. */
  madeBy(deletionId: string): Promise<{ id: string; kind: Deleted["kind"] } | null>;
  /** @returns `null` when unknown, false when restored. */
  remove(deletionId: string): Promise<boolean | null>;
}

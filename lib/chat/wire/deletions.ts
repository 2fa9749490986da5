/** Something deleted that can be restored until `goneAt`. */
export interface DeletedWire {
  id: string;
  kind: "messages" | "session" | "block" | "entry";
  deletedAt: string;
  goneAt: string;
  /** `null` for memory of every session. */
  sessionId: string | null;
  sessionTitle: string | null;
  blockId: string | null;
  /** Of the block. */
  label: string | null;
  /** Of an entry. */
  key: string | null;
  /** Of the session or entry, or the beginning of the first message; may be empty. */
  title: string;
  /** Messages, or an entry and its files. */
  count: number;
}

/** `GET /api/deletions?after=`, newest first. */
export interface DeletedPageWire {
  deletions: DeletedWire[];
  nextCursor: string | null;
}

/** Of `DELETE` for sessions, blocks and entries. */
export interface DeletionWire {
  deletionId: string;
}

/** `DELETE /api/sessions/:id/messages` */
export interface DeletedMessagesWire extends DeletionWire {
  messageIds: readonly string[];
  /** False for a repeated request, and when there was nothing left to delete. */
  changed: boolean;
}

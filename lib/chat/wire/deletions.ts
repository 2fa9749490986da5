import type { Deleted } from "grove-session/ports";
import type { Wire } from "./wire";

export interface DeletedWire extends Wire<Omit<Deleted, "blockKind">> {
  goneAt: string;
}

export interface DeletedPageWire {
  deletions: DeletedWire[];
  nextCursor: string | null;
}

export interface DeletionWire {
  deletionId: string;
}

export interface DeletedMessagesWire extends DeletionWire {
  messageIds: readonly string[];
  /** False for a repeated request, and when there was nothing left to delete. */
  changed: boolean;
}

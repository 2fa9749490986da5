import type { Outgoing } from "./outbox";

export interface NewOutgoing {
  readonly sessionId: string;
  readonly text: string;
  readonly ids?: { readonly id: string; readonly answerId: string };
  readonly parentId?: string | null;
  readonly expectedLeaf?: string | null;
  readonly model?: string;
  readonly generate?: boolean;
  readonly newSession?: boolean;
}

/** Builds a message for the outbox, with ids that never change. */
export function newOutgoing({ ids, ...message }: NewOutgoing): Outgoing {
  return {
    expectedLeaf: null,
    generate: true,
    newSession: false,
    ...message,
    id: ids?.id ?? crypto.randomUUID(),
    answerId: ids?.answerId ?? crypto.randomUUID(),
    createdAt: new Date().toISOString(),
    state: { kind: "pending", attempts: 0 },
  };
}

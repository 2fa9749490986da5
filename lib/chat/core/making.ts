/** A request that may come again, for the one who answers it. */
export interface Making {
  /** Id for the thing that is made, the same whenever the request comes again. */
  readonly id: string;
  /** Idempotency key of the client; `null` for a request that cannot be repeated. */
  readonly name: string | null;
  /** A request with its name and content began to make something that can be found by the id. */
  readonly hasBegun: boolean;
  /** Says that the thing can be found by the id: a repeated request answers from there, and waits for nothing. */
  readonly begun: () => Promise<void>;
}

/** A request without a name makes its thing once. */
export function makingOnce(): Making {
  return { id: crypto.randomUUID(), name: null, hasBegun: false, begun: async () => undefined };
}

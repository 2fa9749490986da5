export interface Making {
  /** The same whenever the request is repeated. */
  readonly id: string;
  readonly name: string | null;
  readonly hasBegun: boolean;
  /** A repeated request then finds the thing by the id. */
  readonly begun: () => Promise<void>;
}

export function makingOnce(): Making {
  return { id: crypto.randomUUID(), name: null, hasBegun: false, begun: async () => undefined };
}

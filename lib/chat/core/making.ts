export interface Making {
  /** The same whenever the request is repeated. */
  readonly id: string;
  readonly name: string | null;
  /** A request with its name and content began to make the thing of this id. */
  readonly hasBegun: boolean;
  /** Records that the thing can be found by the id: a repeated request then answers from there. */
  readonly begun: () => Promise<void>;
}

export function makingOnce(): Making {
  return { id: crypto.randomUUID(), name: null, hasBegun: false, begun: async () => undefined };
}

/** A request that may come again, for the one who answers it. */
export interface Making {
  /** For what it makes: the same whenever the request comes again. */
  readonly id: string;
  /** As the client chose it; `null` for a request that cannot be repeated. */
  readonly name: string | null;
  /** A request with its name and content began to make something that can be found by the id. */
  readonly hasBegun: boolean;
  /** From now on its product can be found by the id: a repeated request answers from there, and waits for nothing. */
  readonly begun: () => Promise<void>;
}

/** Of a request without a name. */
export function makingOnce(): Making {
  return { id: crypto.randomUUID(), name: null, hasBegun: false, begun: async () => undefined };
}

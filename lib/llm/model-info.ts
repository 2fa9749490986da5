/** Dollars per million tokens. A cache price that is absent is charged as input. */
export type ModelPrice = {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  readonly cacheReadPerMillion?: number | undefined;
  readonly cacheWritePerMillion?: number | undefined;
};

/** What a model can be asked to do. */
export type ModelCapabilities = {
  readonly tools: boolean;
  readonly reasoning: boolean;
  readonly images: boolean;
};

/**
 * What is known of a model that can be chosen.
 *
 * Windows are in tokens; `null` means that it is not known, never that there is no limit. `price` is
 * `null` when unknown and all zeros when the model costs nothing.
 */
export type ModelInfo = {
  readonly ref: string;
  readonly label: string;
  readonly provider: string;
  readonly providerLabel: string;
  readonly contextWindow: number | null;
  readonly maxOutput: number | null;
  readonly price: ModelPrice | null;
  readonly isDemo: boolean;
  readonly isLocal: boolean;
  readonly capabilities: ModelCapabilities;
};

/** The price of a model that runs on the person's own machine. */
export const freeOfCharge: ModelPrice = { inputPerMillion: 0, outputPerMillion: 0 };

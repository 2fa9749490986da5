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

/** A model's name, taken apart: which provider answers, and what that provider calls the model. */
export type ModelRef = { readonly provider: string; readonly modelId: string };

/**
 * Reads `"<provider>/<model id>"`; the first slash separates, so a model id may hold slashes itself.
 *
 * @returns `null` when either side is empty.
 */
export function parseModelRef(ref: string): ModelRef | null {
  const slash = ref.indexOf("/");
  if (slash < 1 || slash === ref.length - 1) return null;
  return { provider: ref.slice(0, slash), modelId: ref.slice(slash + 1) };
}

/** Writes a model's name: the inverse of `parseModelRef`. */
export function formatModelRef({ provider, modelId }: ModelRef): string {
  return `${provider}/${modelId}`;
}

import type { ModelPrice } from "./model-info";

/** What is publicly known of a model; `price: null` where sources disagree or the price is about to change. */
export type KnownModel = {
  readonly id: string;
  readonly label: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly price: ModelPrice | null;
  readonly reasoning: boolean;
};

/** Dollars per million tokens in the order price lists use: input, output, cache read, cache write. */
export function price(
  input: number,
  output: number,
  cacheRead?: number,
  cacheWrite?: number,
): ModelPrice {
  return {
    inputPerMillion: input,
    outputPerMillion: output,
    ...(cacheRead === undefined ? {} : { cacheReadPerMillion: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWritePerMillion: cacheWrite }),
  };
}

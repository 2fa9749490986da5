import type { LanguageModelUsage } from "ai";
import type { Feature } from "./features";
import type { Caching, ParameterRange } from "./model-parameters";
import type { WebSearchKind } from "./web-search";

/** Dollars per million tokens. An absent cache price is charged as input. */
export type ModelPrice = {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  readonly cacheReadPerMillion?: number | undefined;
  readonly cacheWritePerMillion?: number | undefined;
};

export type ModelCapabilities = {
  readonly tools: boolean | null;
  readonly reasoning: boolean;
  readonly images: boolean | null;
  readonly pdfs: boolean | null;
  readonly resultImages?: boolean;
};

/** Windows in tokens; `null` means unknown, never unlimited. `price` is all zeros when free. */
export type ModelInfo = {
  readonly ref: string;
  readonly label: string;
  readonly provider: string;
  readonly providerLabel: string;
  readonly contextWindow: number | null;
  readonly maxOutput: number | null;
  readonly price: ModelPrice | null;
  /** Counts towards limits instead of `price`. No setting of the person changes it. */
  readonly charged?: ModelPrice;
  readonly isDemo: boolean;
  readonly isLocal: boolean;
  readonly capabilities: ModelCapabilities;
  readonly parameters?: ParameterRange;
  readonly goesOn?: boolean;
  readonly without?: readonly Feature[];
  readonly webSearch?: WebSearchKind;
};

export const freeOfCharge: ModelPrice = { inputPerMillion: 0, outputPerMillion: 0 };

/** Anthropic charges twice the input for what it keeps an hour. */
export function priceWith(price: ModelPrice | null, caching: Caching | undefined) {
  if (price === null || caching !== "1h") return price;
  return { ...price, cacheWritePerMillion: 2 * price.inputPerMillion };
}

export function unpricedModel(
  environment: Readonly<Record<string, string | undefined>>,
): ModelPrice {
  return {
    inputPerMillion: dollars(environment.GROVE_UNPRICED_INPUT_DOLLARS, 3),
    outputPerMillion: dollars(environment.GROVE_UNPRICED_OUTPUT_DOLLARS, 15),
  };
}

function dollars(given: string | undefined, usual: number): number {
  const value = Number(given?.trim() || Number.NaN);
  return value >= 0 && Number.isFinite(value) ? value : usual;
}

export type ModelRef = { readonly provider: string; readonly modelId: string };

export function parseModelRef(ref: string): ModelRef | null {
  const slash = ref.indexOf("/");
  if (slash < 1 || slash === ref.length - 1) return null;
  return { provider: ref.slice(0, slash), modelId: ref.slice(slash + 1) };
}

export function formatModelRef({ provider, modelId }: ModelRef): string {
  return `${provider}/${modelId}`;
}

/** Cached tokens are part of the input, reasoning of the output. `null` when the price or a token count is unknown. */
export function costOf(
  usage: LanguageModelUsage | undefined,
  price: ModelPrice | null,
): number | null {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined || price === null) {
    return null;
  }
  const cacheRead = usage.inputTokenDetails.cacheReadTokens ?? 0;
  const cacheWrite = usage.inputTokenDetails.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - cacheRead - cacheWrite);
  const perMillion =
    fresh * price.inputPerMillion +
    cacheRead * (price.cacheReadPerMillion ?? price.inputPerMillion) +
    cacheWrite * (price.cacheWritePerMillion ?? price.inputPerMillion) +
    usage.outputTokens * price.outputPerMillion;
  return perMillion / 1_000_000;
}

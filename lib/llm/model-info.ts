import type { LanguageModelUsage } from "ai";
import type { Feature } from "./features";
import type { Caching, ParameterRange } from "./model-parameters";
import type { WebSearchKind } from "./web-search";

/** Per million tokens. An absent cache price is charged as input. */
export type ModelPrice = {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  readonly cacheReadPerMillion?: number | undefined;
  readonly cacheWritePerMillion?: number | undefined;
};

/** `null`: not known. */
export type ModelCapabilities = {
  readonly tools: boolean | null;
  readonly reasoning: boolean;
  readonly images: boolean | null;
  /** As they are, with pictures and layout. */
  readonly pdfs: boolean | null;
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
  /** Counts towards limits, where it differs from `price`. No setting of the person changes it. */
  readonly charged?: ModelPrice;
  readonly isDemo: boolean;
  readonly isLocal: boolean;
  readonly capabilities: ModelCapabilities;
  /** Absent: none can be set. */
  readonly parameters?: ParameterRange;
  /** Writes on at the end of an answer that was cut off, unless it reasons. */
  readonly goesOn?: boolean;
  /** Refused by its server, or turned off by the person. */
  readonly without?: readonly Feature[];
  /** The provider's own search of the web. */
  readonly webSearch?: WebSearchKind;
};

export const freeOfCharge: ModelPrice = { inputPerMillion: 0, outputPerMillion: 0 };

/** Anthropic charges twice the input for what it keeps an hour. */
export function priceWith(price: ModelPrice | null, caching: Caching | undefined) {
  if (price === null || caching !== "1h") return price;
  return { ...price, cacheWritePerMillion: 2 * price.inputPerMillion };
}

/** Of a model that the operator pays for and whose price nobody knows, as limits count it. */
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

/** Splits at the first slash; `null` when either side is empty. */
export function parseModelRef(ref: string): ModelRef | null {
  const slash = ref.indexOf("/");
  if (slash < 1 || slash === ref.length - 1) return null;
  return { provider: ref.slice(0, slash), modelId: ref.slice(slash + 1) };
}

export function formatModelRef({ provider, modelId }: ModelRef): string {
  return `${provider}/${modelId}`;
}

/**
 * Cost of a call in dollars. Cached tokens are part of the input, at their own price; reasoning is part of the
 * output. @returns `null` when the price or a token count is unknown.
 */
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

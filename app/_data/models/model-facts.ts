import { formatTokens } from "@/app/_ui/format-amount";
import type { ModelOverride, ModelWire } from "@/lib/chat/wire/settings";
import { featureNames } from "./feature-words";

/** `200,000 tokens · $3 in, $15 out per million`, as far as known. */
export function modelFacts({ contextWindow, price, isLocal }: ModelWire): string {
  const window = `${formatTokens(contextWindow)}`;
  if (!price) return `${window} · ${isLocal ? "on this machine" : "price unknown"}`;
  return `${window} · $${price.inputPerMillion} in, $${price.outputPerMillion} out per million`;
}

/** `tools refused by its server`, for each that was. */
export function refusedFacts({ features }: Pick<ModelWire, "features">): string[] {
  return features.flatMap(({ feature, takes, by }) =>
    by === "server" && !takes ? `${featureNames[feature]} refused by its server` : [],
  );
}

/** Empty text keeps the default. */
export interface OverrideForm {
  contextWindow: string;
  inputPerMillion: string;
  outputPerMillion: string;
}

export type OverrideErrors = Partial<Record<keyof OverrideForm, string>>;

export function overrideFormOf(override: ModelOverride | undefined): OverrideForm {
  return {
    contextWindow: override?.contextWindow?.toString() ?? "",
    inputPerMillion: override?.inputPerMillion?.toString() ?? "",
    outputPerMillion: override?.outputPerMillion?.toString() ?? "",
  };
}

export function overrideErrors(form: OverrideForm): OverrideErrors {
  const window = numberOf(form.contextWindow);
  const isWindow = window === null || (Number.isInteger(window) && window >= 1_000);
  const isPrice = (text: string) => {
    const price = numberOf(text);
    return price === null || (price >= 0 && price <= 100_000);
  };
  return {
    ...(isWindow ? {} : { contextWindow: "Enter a whole number of at least 1,000." }),
    ...(isPrice(form.inputPerMillion) ? {} : { inputPerMillion: "Enter an amount in dollars." }),
    ...(isPrice(form.outputPerMillion) ? {} : { outputPerMillion: "Enter an amount in dollars." }),
  };
}

/** `null` for one that says nothing. */
export function overrideIn(form: OverrideForm): ModelOverride | null {
  const override = {
    contextWindow: numberOf(form.contextWindow),
    inputPerMillion: numberOf(form.inputPerMillion),
    outputPerMillion: numberOf(form.outputPerMillion),
  };
  return Object.values(override).every((figure) => figure === null) ? null : override;
}

/** `null` for empty text, `NaN` for invalid numbers; spaces and grouping commas are allowed. */
function numberOf(text: string): number | null {
  const digits = text.replace(/[\s,_]/g, "");
  return digits === "" ? null : Number(digits);
}

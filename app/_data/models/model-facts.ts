import type { FormSchema } from "@/app/_data/forms/use-form";
import { formatTokens } from "@/app/_ui/format-amount";
import type { ModelFigures, ModelWire } from "@/lib/chat/wire/settings";
import { featureNames } from "./model-words";

export function modelFacts({ contextWindow, isWindowAssumed, price, isLocal }: ModelWire): string {
  const known = [
    !isWindowAssumed && formatTokens(contextWindow),
    price
      ? `$${price.inputPerMillion} in, $${price.outputPerMillion} out per million`
      : isLocal && "on this machine",
  ];
  return known.filter(Boolean).join(" · ");
}

export function refusedFacts({ features }: Pick<ModelWire, "features">): string[] {
  return features.flatMap(({ feature, takes, by }) =>
    by === "server" && !takes ? `${featureNames[feature]} refused by its server` : [],
  );
}

export interface OverrideForm {
  contextWindow: string;
  inputPerMillion: string;
  outputPerMillion: string;
}

export function overrideFormOf(override: ModelFigures | undefined): OverrideForm {
  return {
    contextWindow: override?.contextWindow?.toString() ?? "",
    inputPerMillion: override?.inputPerMillion?.toString() ?? "",
    outputPerMillion: override?.outputPerMillion?.toString() ?? "",
  };
}

export const overrideSchema: FormSchema<OverrideForm> = {
  contextWindow: ({ contextWindow }) => {
    const window = numberOf(contextWindow);
    const isWindow = window === null || (Number.isInteger(window) && window >= 1_000);
    return isWindow ? null : "Enter a whole number of at least 1,000.";
  },
  inputPerMillion: ({ inputPerMillion }) => priceError(inputPerMillion),
  outputPerMillion: ({ outputPerMillion }) => priceError(outputPerMillion),
};

function priceError(text: string): string | null {
  const price = numberOf(text);
  const isPrice = price === null || (price >= 0 && price <= 100_000);
  return isPrice ? null : "Enter an amount in dollars.";
}

export function overrideIn(form: OverrideForm): ModelFigures | null {
  const override = {
    contextWindow: numberOf(form.contextWindow),
    inputPerMillion: numberOf(form.inputPerMillion),
    outputPerMillion: numberOf(form.outputPerMillion),
  };
  return Object.values(override).every((figure) => figure === null) ? null : override;
}

function numberOf(text: string): number | null {
  const digits = text.replace(/[\s,_]/g, "");
  return digits === "" ? null : Number(digits);
}

import type { Feature, FeatureMark, ModelWire } from "@/lib/chat/wire/settings";

/** Those with a switch; the others only come back with the defaults. */
export const switchedFeatures = ["tools", "images", "pdfs"] as const;
export type SwitchedFeature = (typeof switchedFeatures)[number];

export type FeatureChoice = "yes" | "no" | "unknown";
export type FeatureForm = Readonly<Record<SwitchedFeature, FeatureChoice>>;

export interface FeatureChange {
  ref: string;
  feature: Feature;
  takes: boolean | null;
}

export function featureFormOf({ tools, takes }: Pick<ModelWire, "tools" | "takes">): FeatureForm {
  return {
    tools: choiceOf(tools),
    images: choiceOf(takes.images),
    pdfs: choiceOf(takes.pdfs),
  };
}

/** Only of switches that were moved, so that a default stays one. */
export function featureChanges(
  ref: string,
  before: FeatureForm,
  now: FeatureForm,
): FeatureChange[] {
  return switchedFeatures
    .filter((feature) => before[feature] !== now[feature])
    .map((feature) => ({ ref, feature, takes: takenBy[now[feature]] }));
}

/** Back to what the provider's list says. */
export function featureResets({ ref, features }: Pick<ModelWire, "ref" | "features">) {
  return features.map(({ feature }): FeatureChange => ({ ref, feature, takes: null }));
}

/** `null` unless the server refused it. */
export function refusalOf(features: readonly FeatureMark[], feature: Feature): string | null {
  const mark = features.find((each) => each.feature === feature && each.by === "server");
  if (!mark) return null;
  return mark.words ? `The server refused them: “${mark.words}”` : "The server refused them.";
}

const takenBy = { yes: true, no: false, unknown: null } as const;

function choiceOf(value: boolean | null): FeatureChoice {
  if (value === null) return "unknown";
  return value ? "yes" : "no";
}

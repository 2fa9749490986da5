"use client";

import { useId } from "react";
import { Segmented } from "@/app/_ui/toggles";
import type { Feature, FeatureMark, ModelWire } from "@/lib/chat/wire/settings";

export interface FeatureSwitchesProps {
  readonly form: FeatureForm;
  readonly features: readonly FeatureMark[];
  readonly onChange: (form: FeatureForm) => void;
}

const labels: Readonly<Record<SwitchedFeature, string>> = {
  tools: "Tools",
  images: "Images",
  pdfs: "PDF",
};

const choices: readonly { value: FeatureChoice; label: string }[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
  { value: "unknown", label: "Not known" },
];

export function FeatureSwitches({ form, features, onChange }: FeatureSwitchesProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-medium text-sm">
        Takes
      </h3>
      {switchedFeatures.map((feature) => {
        const refusal = refusalOf(features, feature);
        return (
          <div key={feature} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="flex-1 text-sm">{labels[feature]}</span>
            <Segmented
              label={labels[feature]}
              value={form[feature]}
              options={choices}
              onChange={(choice) => onChange({ ...form, [feature]: choice })}
            />
            {refusal && <p className="wrap-anywhere w-full text-warn text-xs">{refusal}</p>}
          </div>
        );
      })}
    </section>
  );
}

const switchedFeatures = ["tools", "images", "pdfs"] as const;
type SwitchedFeature = (typeof switchedFeatures)[number];

type FeatureChoice = "yes" | "no" | "unknown";
type FeatureForm = Readonly<Record<SwitchedFeature, FeatureChoice>>;

interface FeatureChange {
  ref: string;
  feature: Feature;
  takes: boolean | null;
}

export function featureFormOf({ tools, takes }: Pick<ModelWire, "tools" | "takes">): FeatureForm {
  return { tools: choiceOf(tools), images: choiceOf(takes.images), pdfs: choiceOf(takes.pdfs) };
}

/** Sends only switches that were moved, so that a default stays one. */
export function featureChanges(
  ref: string,
  before: FeatureForm,
  now: FeatureForm,
): FeatureChange[] {
  return switchedFeatures
    .filter((feature) => before[feature] !== now[feature])
    .map((feature) => ({ ref, feature, takes: takenBy[now[feature]] }));
}

export function featureResets({ ref, features }: Pick<ModelWire, "ref" | "features">) {
  return features.map(({ feature }): FeatureChange => ({ ref, feature, takes: null }));
}

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

"use client";

import { useId } from "react";
import { Segmented } from "@/app/_ui/toggles";
import type { FeatureMark } from "@/lib/chat/wire/settings";
import {
  type FeatureChoice,
  type FeatureForm,
  refusalOf,
  type SwitchedFeature,
  switchedFeatures,
} from "./feature-form";

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

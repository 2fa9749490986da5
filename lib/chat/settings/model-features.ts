import { z } from "zod";
import { KeyedSettings, type StoredSettings } from "@/lib/chat/core/keyed-settings";
import type { SettingsStore } from "@/lib/chat/core/settings-store";
import type { FeatureMark } from "@/lib/chat/wire/settings";
import { type Feature, type FeatureRefusal, features, type ModelOverrides } from "@/lib/llm";

const longestWords = 300;

/** The person's word counts, even against a later refusal of a server. */
export const featureSchema = z.object({
  takes: z.boolean(),
  by: z.enum(["person", "server"]),
  words: z.string().max(longestWords).optional().catch(undefined),
});
export type FeatureSetting = z.output<typeof featureSchema>;

/** Each feature has a key of its own, since answers write them, too. */
export const modelFeatures = new KeyedSettings("feature:", featureSchema, {
  limit: { most: 5_000, code: "too-many-overrides", noun: "corrected models" },
});

export function featureId(feature: Feature, ref: string): string {
  return `${feature} ${ref}`;
}

export interface NamedFeature extends FeatureSetting {
  readonly ref: string;
  readonly feature: Feature;
}

export function featuresIn(stored: StoredSettings): NamedFeature[] {
  return Array.from(modelFeatures.read(stored)).flatMap(([id, setting]) => {
    const gap = id.indexOf(" ");
    const feature = features.find((each) => each === id.slice(0, gap));
    return feature ? [{ ref: id.slice(gap + 1), feature, ...setting }] : [];
  });
}

export function featureMarksIn(stored: StoredSettings): (ref: string) => FeatureMark[] {
  const all = featuresIn(stored);
  return (ref) => all.filter((each) => each.ref === ref).map(({ ref: _, ...mark }) => mark);
}

export function featureOverrides(stored: StoredSettings): Map<string, ModelOverrides[string]> {
  const overrides = new Map<string, ModelOverrides[string]>();
  for (const { ref, feature, takes } of featuresIn(stored)) {
    const { capabilities = {}, without = [] } = overrides.get(ref) ?? {};
    overrides.set(ref, {
      capabilities: isCapability(feature) ? { ...capabilities, [feature]: takes } : capabilities,
      without: takes ? without : [...without, feature],
    });
  }
  return overrides;
}

function isCapability(feature: Feature): boolean {
  return feature === "tools" || feature === "images" || feature === "pdfs";
}

export function featureChanges(
  changed: readonly {
    readonly ref: string;
    readonly feature: Feature;
    readonly takes: boolean | null;
  }[],
): Record<string, FeatureSetting | null> {
  return Object.fromEntries(
    changed.map(({ ref, feature, takes }) => [
      featureId(feature, ref),
      takes === null ? null : { takes, by: "person" },
    ]),
  );
}

export async function noteRefusal(
  settings: SettingsStore,
  ref: string,
  { feature, words }: FeatureRefusal,
): Promise<void> {
  const stored = await settings.read();
  const id = featureId(feature, ref);
  const known = modelFeatures.read(stored).get(id);
  if (known?.by === "person" || known?.takes === false) return;
  const refused = { takes: false, by: "server", words: words.slice(0, longestWords) } as const;
  await settings.change(modelFeatures.allowedChanges(stored, { [id]: refused }));
}

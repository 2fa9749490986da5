import { z } from "zod";
import { KeyedSettings } from "@/lib/chat/core/keyed-settings";
import type { SettingsStore } from "@/lib/chat/core/settings-store";
import type { FeatureMark } from "@/lib/chat/wire/settings";
import { type Feature, features, type ModelOverrides, type Refusal } from "@/lib/llm";

type Settings = Readonly<Record<string, unknown>>;

const longestWords = 300;

/** The person's word counts, whatever a server refuses after it. */
export const featureSchema = z.object({
  takes: z.boolean(),
  by: z.enum(["person", "server"]),
  /** Of a server that refused it. */
  words: z.string().max(longestWords).optional().catch(undefined),
});
export type FeatureSetting = z.output<typeof featureSchema>;

/** Features of models, as servers refused them or the person set them. A key each, since an answer writes them, too. */
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

export function featuresIn(stored: Settings): NamedFeature[] {
  return Array.from(modelFeatures.read(stored)).flatMap(([id, setting]) => {
    const gap = id.indexOf(" ");
    const feature = features.find((each) => each === id.slice(0, gap));
    return feature ? [{ ref: id.slice(gap + 1), feature, ...setting }] : [];
  });
}

export function featureMarksIn(stored: Settings): (ref: string) => FeatureMark[] {
  const all = featuresIn(stored);
  return (ref) => all.filter((each) => each.ref === ref).map(({ ref: _, ...mark }) => mark);
}

/** By reference, for the registry. */
export function featureOverrides(stored: Settings): Map<string, ModelOverrides[string]> {
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

/** Of the person. */
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

/** Remembers what a server refused, unless the person set it. */
export async function noteRefusal(
  settings: SettingsStore,
  ref: string,
  { feature, words }: Refusal,
): Promise<void> {
  const stored = await settings.read();
  const id = featureId(feature, ref);
  const known = modelFeatures.read(stored).get(id);
  if (known?.by === "person" || known?.takes === false) return;
  const refused = { takes: false, by: "server", words: words.slice(0, longestWords) } as const;
  await settings.change(modelFeatures.allowedChanges(stored, { [id]: refused }));
}

import { KeyedSettings, rowsBy } from "@/lib/chat/core/keyed-settings";
import { type ModelOverrideWire, modelOverrideSchema } from "@/lib/chat/wire/settings";

export const overrides = new KeyedSettings("override:", modelOverrideSchema, {
  older: (stored) => rowsBy("ref", stored.modelOverrides),
  limit: { most: 500, code: "too-many-overrides", noun: "corrected models" },
});

export function overridesIn(stored: Readonly<Record<string, unknown>>): ModelOverrideWire[] {
  return Array.from(overrides.read(stored), ([ref, override]) => ({ ref, ...override }));
}

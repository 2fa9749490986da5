import { KeyedSettings, listByName, rowsBy } from "@/lib/chat/core/keyed-settings";
import { type PresetWire, presetSchema } from "@/lib/chat/wire/settings";

export const presets = new KeyedSettings("preset:", presetSchema, {
  older: (stored) => rowsBy("id", stored.presets),
  limit: { most: 100, code: "too-many-presets", noun: "presets" },
});

export function presetsIn(stored: Readonly<Record<string, unknown>>): PresetWire[] {
  return listByName(presets, stored);
}

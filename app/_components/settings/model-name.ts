import type { ModelWire } from "@/lib/chat/wire/settings";

/** What a model is called in a list: with its provider where another one offers a model of the same name. */
export function modelName(model: ModelWire, models: readonly ModelWire[]): string {
  const isAmbiguous = models.some(({ ref, label }) => ref !== model.ref && label === model.label);
  return isAmbiguous ? `${model.label} · ${model.provider}` : model.label;
}

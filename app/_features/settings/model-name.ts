import { useCallback } from "react";
import type { ModelWire } from "@/lib/chat/wire/settings";
import { useModels } from "./use-models";

/** What a model is called in a list: with its provider where another one offers a model of the same name. */
export function modelName(model: ModelWire, models: readonly ModelWire[]): string {
  const isAmbiguous = models.some(({ ref, label }) => ref !== model.ref && label === model.label);
  return isAmbiguous ? `${model.label} · ${model.provider}` : model.label;
}

/** Turns a reference such as `openai/gpt-5` into the model's name; one that can no longer answer stays as it is. */
export function useModelName(): (ref: string) => string {
  const { data } = useModels();
  return useCallback(
    (ref) => {
      const model = data?.models.find((model) => model.ref === ref);
      return data && model ? modelName(model, data.models) : ref;
    },
    [data],
  );
}

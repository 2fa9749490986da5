import type { JSONObject, LanguageModelV4 } from "@ai-sdk/provider";
import { groveOptions } from "./grove-options";
import type { ModelParameters } from "./model-parameters";

export interface ProgramOptions {
  readonly strictSchema: boolean;
  readonly parallelCalls?: boolean | undefined;
  readonly verbosity?: ModelParameters["verbosity"] | undefined;
}

export function programOptions({ strictSchema, parallelCalls, verbosity }: ProgramOptions) {
  const shared = {
    strictJsonSchema: strictSchema,
    ...(verbosity && { textVerbosity: verbosity }),
  } satisfies JSONObject;
  return {
    openai: {
      ...shared,
      ...(parallelCalls !== undefined && { parallelToolCalls: parallelCalls }),
    } satisfies JSONObject,
    openaiCompatible: shared,
    ...(parallelCalls === false && { anthropic: { disableParallelToolUse: true } }),
    ...(parallelCalls !== undefined && groveOptions({ parallelCalls })),
  };
}

const programSettings = [
  "frequencyPenalty",
  "presencePenalty",
  "seed",
  "stopSequences",
  "parallelCalls",
  "verbosity",
] as const;
export type ProgramSetting = (typeof programSettings)[number];
type GivenSettings = { readonly [Name in ProgramSetting]?: unknown };

const dropped: Readonly<Record<string, readonly ProgramSetting[]>> = {
  "openai.responses": ["frequencyPenalty", "presencePenalty", "seed", "stopSequences"],
  "anthropic.messages": ["frequencyPenalty", "presencePenalty", "seed", "verbosity"],
  "google.generative-ai": ["parallelCalls", "verbosity"],
};

function droppedBy({ provider, modelId }: DroppingModel): readonly ProgramSetting[] {
  const always = dropped[provider] ?? [];
  const isOlder = provider === "google.generative-ai" && modelId.includes("2.5");
  return isOlder ? [...always, "frequencyPenalty", "presencePenalty"] : always;
}

type DroppingModel = Pick<LanguageModelV4, "provider" | "modelId">;

const usual: Readonly<Record<ProgramSetting, readonly unknown[]>> = {
  frequencyPenalty: [0],
  presencePenalty: [0],
  seed: [],
  stopSequences: [],
  parallelCalls: [true],
  verbosity: ["medium"],
};

export function settingDropped(model: DroppingModel, given: GivenSettings): ProgramSetting | null {
  const asked = (name: ProgramSetting) =>
    given[name] !== undefined && !usual[name].includes(given[name]);
  return droppedBy(model).find(asked) ?? null;
}

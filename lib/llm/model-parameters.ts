import { z } from "zod";

export const reasoningEfforts = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

export const verbosities = ["low", "medium", "high"] as const;

export const cachings = ["off", "5m", "1h", "24h"] as const;
export type Caching = (typeof cachings)[number];

export const modelParameters = z.object({
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).max(10_000_000).optional(),
  reasoning: z.enum(reasoningEfforts).optional(),
  verbosity: z.enum(verbosities).optional(),
  caching: z.enum(cachings).optional(),
});
export type ModelParameters = z.output<typeof modelParameters>;
export type ParameterName = keyof ModelParameters;

export type ParameterRange = {
  /** `withoutReasoning`: allowed only while no reasoning effort is set. */
  readonly temperature?: { readonly max: number; readonly withoutReasoning?: true };
  readonly maxOutputTokens?: { readonly max: number | null };
  readonly reasoning?: readonly ReasoningEffort[];
  readonly verbosity?: typeof verbosities;
  readonly caching?: readonly Caching[];
};

export function parametersWithin(
  given: ModelParameters,
  range: ParameterRange = {},
): ModelParameters {
  const { temperature, maxOutputTokens, reasoning, verbosity, caching } = given;
  const effort = reasoning && range.reasoning?.includes(reasoning) ? reasoning : undefined;
  const reasons = effort !== undefined && effort !== "none";
  const heats =
    temperature !== undefined &&
    range.temperature !== undefined &&
    temperature <= range.temperature.max &&
    !(range.temperature.withoutReasoning && reasons);
  const ends =
    maxOutputTokens !== undefined &&
    range.maxOutputTokens !== undefined &&
    maxOutputTokens <= (range.maxOutputTokens.max ?? Number.POSITIVE_INFINITY);
  return {
    ...(heats && { temperature }),
    ...(ends && { maxOutputTokens }),
    ...(effort && { reasoning: effort }),
    ...(verbosity && range.verbosity?.includes(verbosity) && { verbosity }),
    ...(caching && range.caching?.includes(caching) && { caching }),
  };
}

export const parameterWords: Readonly<Record<ParameterName, string>> = {
  temperature: "temperature",
  maxOutputTokens: "output limit",
  reasoning: "reasoning effort",
  verbosity: "verbosity",
  caching: "caching",
};

const wordings: Readonly<Record<ParameterName, RegExp>> = {
  temperature: /temperature/,
  maxOutputTokens: /max_?(?:completion_|output_)?tokens|maxoutputtokens/,
  reasoning: /reasoning|thinking|\beffort\b/,
  verbosity: /verbosity/,
  caching: /cache_control|prompt_cache|\bttl\b/,
};

export function parametersNamedIn(words: string, sent: ModelParameters): ParameterName[] {
  const text = words.toLowerCase();
  return (Object.keys(sent) as ParameterName[]).filter((name) => wordings[name].test(text));
}

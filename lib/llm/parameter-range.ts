import { groveOptions } from "./grove-options";
import type { ModelInfo } from "./model-info";
import {
  type ModelParameters,
  type ParameterRange,
  parametersWithin,
  type ReasoningEffort,
  verbosities,
} from "./model-parameters";
import type { ModelProvider } from "./model-provider";
import { providerKinds } from "./provider-kinds";
import { presetFacts, presetOf } from "./provider-presets";

export interface RangedModel {
  readonly id: string;
  readonly reasoning: boolean;
  readonly maxOutput: number | null;
  readonly supported?: readonly string[] | undefined;
}

/** As documented in November 2026. An unknown model gets the ranges of its protocol. */
export function parameterRange(
  { kind, baseUrl }: Pick<ModelProvider, "kind" | "baseUrl">,
  model: RangedModel,
): ParameterRange {
  const maxOutputTokens = { max: model.maxOutput };
  switch (kind) {
    case "anthropic":
      return { maxOutputTokens, ...anthropicRange(model.id, baseUrl) };
    case "openai":
      return { maxOutputTokens, ...openaiRange(model.id) };
    case "google":
      return { maxOutputTokens, temperature: { max: 2 }, ...googleReasoning(model.id) };
    case "compatible":
      return withoutRefused(compatibleRange(model), { id: model.id, baseUrl });
    case "local":
      return compatibleRange(model);
  }
}

const low3 = ["low", "medium", "high"] as const;

/** @see https://platform.claude.com/docs/en/build-with-claude/effort */
function anthropicRange(id: string, baseUrl: string): ParameterRange {
  const caching =
    baseUrl === providerKinds.anthropic.baseUrl ? { caching: ["off", "5m", "1h"] as const } : {};
  const [, family = "", major = "0", minor = "0"] =
    /claude-([a-z]+)-(\d+)(?:-(\d{1,2})(?!\d))?/.exec(id) ?? [];
  const version = Number(major) + Number(minor) / 10;
  // These models refuse any temperature but their own.
  const isSampled = version < 4.7;
  const alwaysThinks = family === "fable" || (version >= 5.5 && family !== "haiku");
  const efforts: readonly ReasoningEffort[] = isSampled ? low3 : [...low3, "xhigh", "max"];
  return {
    ...(isSampled && { temperature: { max: 1, withoutReasoning: true } }),
    reasoning: alwaysThinks ? efforts : ["none", ...efforts],
    ...caching,
  };
}

/** @see https://developers.openai.com/api/docs/guides/reasoning */
function openaiRange(id: string): ParameterRange {
  if (/^o\d/.test(id)) return { reasoning: low3 };
  const [, major = "", minor = "0", variant = ""] =
    /^gpt-(\d+)(?:\.(\d+))?(?:-(.+))?$/.exec(id) ?? [];
  const version = Number(major) + Number(minor) / 10;
  if (version < 5 || variant.startsWith("chat")) return { temperature: { max: 2 } };
  return {
    reasoning: openaiEfforts(version),
    verbosity: verbosities,
    ...(version < 5.6 && { caching: ["24h"] as const }),
  };
}

function openaiEfforts(version: number): readonly ReasoningEffort[] {
  if (version === 5) return ["minimal", ...low3];
  if (version === 5.1) return ["none", ...low3];
  if (version < 5.6) return ["none", ...low3, "xhigh"];
  return ["none", ...low3, "xhigh", "max"];
}

/** @see https://ai.google.dev/gemini-api/docs/thinking */
function googleReasoning(id: string): ParameterRange {
  const major = Number(/gemini-(\d+)/.exec(id)?.[1] ?? 0);
  if (major >= 3 || id.includes("2.5-pro")) return { reasoning: low3 };
  return id.includes("2.5") ? { reasoning: ["none", ...low3] } : {};
}

function compatibleRange({ reasoning, maxOutput, supported }: RangedModel): ParameterRange {
  const has = (...names: readonly string[]) =>
    supported === undefined || names.some((name) => supported.includes(name));
  return {
    ...(has("temperature") && { temperature: { max: 2 } }),
    ...(has("max_tokens", "max_completion_tokens") && { maxOutputTokens: { max: maxOutput } }),
    ...(reasoning && has("reasoning", "reasoning_effort") && { reasoning: low3 }),
    ...(supported?.includes("verbosity") && { verbosity: verbosities }),
  };
}

function withoutRefused(
  range: ParameterRange,
  { id, baseUrl }: { readonly id: string; readonly baseUrl: string },
): ParameterRange {
  const preset = presetOf(baseUrl);
  const { refuses } = preset ? presetFacts(preset) : {};
  if (!refuses?.models.test(id)) return range;
  const kept = Object.entries(range).filter(([name]) =>
    refuses.parameters.every((refused) => refused !== name),
  );
  return Object.fromEntries(kept);
}

export function parameterSettings(
  given: ModelParameters,
  { parameters: range }: Pick<ModelInfo, "parameters">,
) {
  const sent = parametersWithin(given, range);
  const { verbosity, caching, ...settings } = sent;
  const isLongLived = caching === "1h" || caching === "5m";
  const providerOptions = {
    ...(caching === "off" && groveOptions({ withoutCaching: true })),
    ...(isLongLived && { anthropic: { cacheControl: { type: "ephemeral", ttl: caching } } }),
    ...((verbosity || caching === "24h") && {
      openai: {
        ...(verbosity && { textVerbosity: verbosity }),
        ...(caching === "24h" && { promptCacheRetention: caching }),
      },
    }),
    ...(verbosity && { openaiCompatible: { textVerbosity: verbosity } }),
  };
  return { sent, settings, providerOptions };
}

import { z } from "zod";
import { type Feature, features } from "@/lib/llm/features";
import type { PullEvent } from "@/lib/llm/ollama";
import { type ProviderKind, providerKindSchema } from "@/lib/llm/provider-kinds";
import { apiKeySchema, baseUrlSchema } from "@/lib/llm/provider-settings";
import type { FileTaking } from "./files";
import {
  type ModelChoice,
  memoryModeSchema,
  modelSchema,
  type ParameterRange,
} from "./request-fields";
import type { MemoryMode } from "./sessions";
import type { ToolPolicy } from "./tools";

export type { Feature } from "@/lib/llm/features";
export { kindFacts, type ProviderKind, providerKinds } from "@/lib/llm/provider-kinds";
export {
  isPreset,
  type PresetId,
  presetFacts,
  presetOf,
  providerPresets,
} from "@/lib/llm/provider-presets";

export interface FeatureMark {
  feature: Feature;
  takes: boolean;
  by: "person" | "server";
  words?: string | undefined;
}

export interface ModelWire {
  ref: string;
  label: string;
  provider: string;
  contextWindow: number;
  isWindowAssumed: boolean;
  maxOutput: number | null;
  /** Dollars per million tokens. */
  price: { inputPerMillion: number; outputPerMillion: number } | null;
  isDemo: boolean;
  isLocal: boolean;
  takes: FileTaking;
  /** `null` is not known, so tools are offered. */
  tools: boolean | null;
  features: FeatureMark[];
  reasoning: boolean;
  searchesWeb: boolean;
  parameters: ParameterRange;
  isFavorite: boolean;
  isHidden: boolean;
}

export interface ModelsWire {
  models: ModelWire[];
  defaultModel: string;
  defaultChoice: ModelChoice;
  /** Month of the built-in price list, as `2026-11`. */
  pricesReadOn: string;
  problems: { provider: string; label: string; message: string }[];
  leftOut: { provider: string; label: string; message: string }[];
  web: { search: ToolPolicy; readPages: ToolPolicy; hasServer: boolean };
  /** Their lists lack models, so that any name can be asked of them. */
  unlisted: { provider: string; label: string }[];
}

export interface OllamaWire {
  servers: { provider: string; label: string }[];
}

export const pullRequest = z.object({
  provider: z.string().min(1).max(200),
  model: z
    .string()
    .trim()
    .regex(/^[^\s\p{C}]{1,200}$/u, "must be a model's name, such as llama3.2"),
});

/** Ends with `done` or `failed`. */
export type PullWire = PullEvent;

export interface ProviderSettingWire {
  id: string;
  provider: ProviderKind;
  name: string;
  baseUrl: string | null;
  /** Last four characters; the key never leaves the server. */
  keyHint: string | null;
  fromEnvironment: boolean;
}

/** `null` keeps Grove's own value. Prices are dollars per million tokens. */
export const modelOverrideSchema = z.object({
  contextWindow: z.int().min(1_000).max(100_000_000).nullable(),
  inputPerMillion: z.number().min(0).max(100_000).nullable(),
  outputPerMillion: z.number().min(0).max(100_000).nullable(),
});
export type ModelFigures = z.output<typeof modelOverrideSchema>;
export interface ModelOverrideWire extends ModelFigures {
  ref: string;
}

export interface SettingsWire {
  providers: ProviderSettingWire[];
  defaultModel: string | null;
  memoryMode: MemoryMode;
  searchAddress: string | null;
  modelOverrides: ModelOverrideWire[];
  example: { sessionId: string; exists: boolean };
  version: string;
  dataLocation: string | null;
}

/** An omitted key keeps the stored one unless the address changes. */
export const writeProviderRequest = z.object({
  provider: providerKindSchema,
  name: z.string().trim().min(1).max(50),
  baseUrl: baseUrlSchema.nullable().optional(),
  apiKey: apiKeySchema.nullable().optional(),
});

export const changeSettingsRequest = z.object({
  defaultModel: modelSchema.nullable().optional(),
  memoryMode: memoryModeSchema.optional(),
  seenVersion: z.string().max(40).optional(),
  modelMark: z
    .object({
      ref: modelSchema,
      isFavorite: z.boolean().optional(),
      isHidden: z.boolean().optional(),
    })
    .optional(),
  /** Taken or refused by the model; `null`: not known. */
  modelFeatures: z
    .array(z.object({ ref: modelSchema, feature: z.enum(features), takes: z.boolean().nullable() }))
    .max(100)
    .optional(),
  searchAddress: z
    .url({ protocol: /^https?$/, error: "must begin with http:// or https://" })
    .max(500)
    .nullable()
    .optional(),
  modelOverrides: z.record(modelSchema, modelOverrideSchema.nullable()).optional(),
});

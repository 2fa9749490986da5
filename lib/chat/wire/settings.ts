import { z } from "zod";
import { type Feature, features } from "@/lib/llm/features";
import { type ProviderKind, providerKindSchema } from "@/lib/llm/provider-kinds";
import { apiKeySchema, baseUrlSchema } from "@/lib/llm/provider-settings";
import type { FileTaking } from "./files";
import {
  idSchema,
  type ModelChoice,
  memoryModeSchema,
  modelParameters,
  modelSchema,
  type ParameterRange,
} from "./request-fields";
import type { MemoryMode } from "./sessions";

export type { Feature } from "@/lib/llm/features";
export { kindFacts, type ProviderKind, providerKinds } from "@/lib/llm/provider-kinds";

export interface FeatureMark {
  feature: Feature;
  takes: boolean;
  by: "person" | "server";
  /** Of the server that refused it. */
  words?: string | undefined;
}

export interface ModelWire {
  ref: string;
  label: string;
  provider: string;
  contextWindow: number;
  /** The provider did not say. */
  isWindowAssumed: boolean;
  /** `null` when unknown. */
  maxOutput: number | null;
  /** Dollars per million tokens. */
  price: { inputPerMillion: number; outputPerMillion: number } | null;
  isDemo: boolean;
  isLocal: boolean;
  /** Kinds of files it takes as they are. */
  takes: FileTaking;
  /** `null`: not known, so they are offered. */
  tools: boolean | null;
  /** Set by the person, or refused by its server. */
  features: FeatureMark[];
  reasoning: boolean;
  /** Those that can be set for it. */
  parameters: ParameterRange;
  isFavorite: boolean;
  isHidden: boolean;
}

/** `GET /api/models` */
export interface ModelsWire {
  models: ModelWire[];
  defaultModel: string;
  /** Why it is the default. */
  defaultChoice: ModelChoice;
  /** Month of the built-in price list, as `2026-11`. */
  pricesReadOn: string;
  problems: { provider: string /** Its name. */; label: string; message: string }[];
  /** Entries of lists that could not be read. */
  leftOut: { provider: string; label: string; message: string }[];
  /** Providers whose lists lack models, so that any name can be asked of them. */
  unlisted: { provider: string; label: string }[];
}

export interface ProviderSettingWire {
  id: string;
  provider: ProviderKind;
  name: string;
  baseUrl: string | null;
  /** Last four characters; the key never leaves the server. */
  keyHint: string | null;
  /** Set by the environment, so read-only. */
  fromEnvironment: boolean;
}

export const presetSchema = z.object({
  name: z.string().trim().min(1, "must not be empty").max(80),
  /** `null` leaves the chat's. */
  model: modelSchema.nullable(),
  parameters: modelParameters,
});
export type Preset = z.output<typeof presetSchema>;
export interface PresetWire extends Preset {
  id: string;
}

/** `null` keeps what Grove knows. Prices are dollars per million tokens. */
export const modelOverrideSchema = z.object({
  contextWindow: z.int().min(1_000).max(100_000_000).nullable(),
  inputPerMillion: z.number().min(0).max(100_000).nullable(),
  outputPerMillion: z.number().min(0).max(100_000).nullable(),
});
export type ModelOverride = z.output<typeof modelOverrideSchema>;
export interface ModelOverrideWire extends ModelOverride {
  ref: string;
}

/** `GET /api/settings` */
export interface SettingsWire {
  providers: ProviderSettingWire[];
  defaultModel: string | null;
  memoryMode: MemoryMode;
  /** A SearXNG server. */
  searchAddress: string | null;
  modelOverrides: ModelOverrideWire[];
  presets: PresetWire[];
  example: { sessionId: string; exists: boolean };
  version: string;
  /** `null` for members. */
  dataLocation: string | null;
}

/** `PUT /api/settings/providers/:id`. An omitted key keeps the stored one unless the address changes. */
export const writeProviderRequest = z.object({
  provider: providerKindSchema,
  name: z.string().trim().min(1).max(50),
  baseUrl: baseUrlSchema.nullable().optional(),
  apiKey: apiKeySchema.nullable().optional(),
});

/** `PATCH /api/settings` */
export const changeSettingsRequest = z.object({
  defaultModel: modelSchema.nullable().optional(),
  memoryMode: memoryModeSchema.optional(),
  /** Its release notes were read. */
  seenVersion: z.string().max(40).optional(),
  /** By id; others stay. */
  presets: z.record(idSchema, presetSchema.nullable()).optional(),
  modelMark: z
    .object({
      ref: modelSchema,
      isFavorite: z.boolean().optional(),
      isHidden: z.boolean().optional(),
    })
    .optional(),
  /** Of a model, taken or not; `null`: not known. */
  modelFeatures: z
    .array(z.object({ ref: modelSchema, feature: z.enum(features), takes: z.boolean().nullable() }))
    .max(100)
    .optional(),
  searchAddress: z
    .url({ protocol: /^https?$/, error: "must begin with http:// or https://" })
    .max(500)
    .nullable()
    .optional(),
  /** By reference of the model; others stay. */
  modelOverrides: z.record(modelSchema, modelOverrideSchema.nullable()).optional(),
});

import { z } from "zod";
import { type ProviderKind, providerKindSchema } from "@/lib/llm/provider-kinds";
import { apiKeySchema, baseUrlSchema } from "@/lib/llm/provider-settings";
import type { FileTaking } from "./files";
import { memoryModeSchema, modelSchema } from "./request-fields";
import type { MemoryMode } from "./sessions";

export { kindFacts, type ProviderKind, providerKinds } from "@/lib/llm/provider-kinds";

export interface ModelWire {
  ref: string;
  label: string;
  provider: string;
  contextWindow: number;
  /** Dollars per million tokens. */
  price: { inputPerMillion: number; outputPerMillion: number } | null;
  isDemo: boolean;
  isLocal: boolean;
  /** Kinds of files it takes as they are. */
  takes: FileTaking;
}

/** `GET /api/models` */
export interface ModelsWire {
  models: ModelWire[];
  defaultModel: string;
  problems: { provider: string /** Its name. */; label: string; message: string }[];
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

/** `GET /api/settings` */
export interface SettingsWire {
  providers: ProviderSettingWire[];
  defaultModel: string | null;
  memoryMode: MemoryMode;
  /** A SearXNG server. */
  searchAddress: string | null;
  modelOverrides: {
    ref: string;
    contextWindow: number | null;
    inputPerMillion: number | null;
    outputPerMillion: number | null;
  }[];
  example: { sessionId: string; exists: boolean };
  version: string;
  dataLocation: string;
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
  searchAddress: z
    .url({ protocol: /^https?$/, error: "must begin with http:// or https://" })
    .max(500)
    .nullable()
    .optional(),
  modelOverrides: z
    .array(
      z.object({
        ref: modelSchema,
        contextWindow: z.int().min(1_000).max(100_000_000).nullable(),
        inputPerMillion: z.number().min(0).max(100_000).nullable(),
        outputPerMillion: z.number().min(0).max(100_000).nullable(),
      }),
    )
    .max(500)
    .optional(),
});

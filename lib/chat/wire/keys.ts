import { z } from "zod";
import { makeProjectRequest, projectId } from "./projects";
import { modelSchema } from "./request-fields";

/** Proposals wait for the person; writes and proposals bear the key's name. */
export const mcpScopeSchema = z.enum([
  "memory:read",
  "memory:propose",
  "memory:write",
  "chats:search",
  "chats:read",
  "skills:read",
]);
export type McpScope = z.output<typeof mcpScopeSchema>;

const aliases = z
  .record(z.string().trim().min(1).max(200), modelSchema)
  .refine((names) => Object.keys(names).length <= 100, "must be at most 100 names");

export const keyScopes = z.object({
  /** The project that holds all that the key reads and writes; `null` for the person's own chats. */
  space: projectId.nullable().default(null),
  /** OpenAI's API, under `/v1`. Earlier keys all had it. */
  usesApi: z.boolean().default(true),
  canWrite: z.boolean(),
  usesMemory: z.boolean(),
  keeps: z.enum(["chats", "log", "asked", "nothing"]).default("asked"),
  /** Days after which an unchanged chat is deleted; `null` for never. */
  keptDays: z.int().min(1).max(3_650).nullable().default(null),
  models: z.array(modelSchema).max(200).nullable(),
  aliases: aliases.default({}),
  /** Dollars per calendar month (UTC); `null` for no limit. */
  monthlyLimit: z.number().positive().max(1_000_000).nullable(),
  /** Answers at once; `null` for all that programs may have. */
  maxRunning: z.int().min(1).max(100).nullable().default(null),
  /** `null` for all. */
  blocks: z.array(z.string().min(1).max(200)).max(500).nullable().default(null),
  mcp: z.array(mcpScopeSchema).max(mcpScopeSchema.options.length).default([]),
  isApp: z.boolean().default(false),
});
export type KeyScopes = z.output<typeof keyScopes>;

export interface KeyWire extends KeyScopes {
  id: string;
  name: string;
  hint: string;
  monthCost: number;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** Most recently used first. */
export interface ProgramsWire {
  programs: { id: string; name: string; chats: number }[];
}

export interface KeysWire {
  keys: KeyWire[];
}

export const createKeyRequest = keyScopes.omit({ isApp: true }).extend({
  /** Makes the project that `space` is the id of, with this name, once the key may be made. */
  newProject: makeProjectRequest.shape.name.optional(),
  name: z.string().trim().min(1, "must not be empty").max(60, "must be at most 60 characters"),
});

export const connectAppRequest = z.object({
  query: z.string().max(20_000),
  /** Empty refuses. */
  mcp: keyScopes.shape.mcp,
  space: keyScopes.shape.space,
});

/** Fields that are left out stay. */
export const changeKeyRequest = z
  .object({
    aliases,
    keeps: keyScopes.shape.keeps.unwrap(),
    keptDays: keyScopes.shape.keptDays.unwrap(),
    maxRunning: keyScopes.shape.maxRunning.unwrap(),
  })
  .partial();

export interface NewKeyWire {
  key: KeyWire;
  secret: string;
}

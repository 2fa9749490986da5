import { z } from "zod";
import { modelSchema } from "./request-fields";

/** Of Grove's MCP server. Proposals wait for the person; writes and proposals bear the key's name. */
export const mcpScopeSchema = z.enum([
  "memory:read",
  "memory:propose",
  "memory:write",
  "chats:search",
  "chats:read",
  "skills:read",
]);
export type McpScope = z.output<typeof mcpScopeSchema>;

export const keyScopes = z.object({
  /** OpenAI's API, under `/v1`. Earlier keys all had it. */
  usesApi: z.boolean().default(true),
  /** Otherwise it only reads chats. */
  canWrite: z.boolean(),
  /** Gives its models Grove's memory and tools. */
  usesMemory: z.boolean(),
  /** `null` for all. */
  models: z.array(modelSchema).max(200).nullable(),
  /** Dollars per calendar month (UTC); `null` for no limit. */
  monthlyLimit: z.number().positive().max(1_000_000).nullable(),
  /** Ids of the blocks of memory that it may know, with either; `null` for all. */
  blocks: z.array(z.string().min(1).max(200)).max(500).nullable().default(null),
  /** Over MCP, under `/mcp`. */
  mcp: z.array(mcpScopeSchema).max(mcpScopeSchema.options.length).default([]),
});
export type KeyScopes = z.output<typeof keyScopes>;

/** A program's key, without its secret. */
export interface KeyWire extends KeyScopes {
  id: string;
  name: string;
  /** Last four characters. */
  hint: string;
  /** Dollars. */
  monthCost: number;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** `GET /api/keys`, newest first. */
export interface KeysWire {
  keys: KeyWire[];
}

/** `POST /api/keys` → 201 `{ key, secret }`; the secret is shown this once. */
export const createKeyRequest = keyScopes.extend({
  name: z.string().trim().min(1, "must not be empty").max(60, "must be at most 60 characters"),
});

export interface NewKeyWire {
  key: KeyWire;
  secret: string;
}

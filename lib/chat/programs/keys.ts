import { createHash, randomBytes } from "node:crypto";
import type { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import {
  type createKeyRequest,
  type KeyWire,
  keyScopes,
  type NewKeyWire,
} from "@/lib/chat/wire/keys";
import { programError } from "./program-error";

export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: Readonly<Record<string, unknown>>;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
  readonly monthCost: number;
}

interface KeyStore {
  /** Newest first, revoked ones included. */
  list(): Promise<StoredKey[]>;
  get(keyId: string): Promise<StoredKey | null>;
  /** Gives a key that was never used another secret. Returns false for one that was used or revoked. */
  add(key: Pick<StoredKey, "id" | "name" | "hint" | "scopes"> & { hash: string }): Promise<boolean>;
  /** Returns false when there is none, or it was revoked before. */
  revoke(keyId: string): Promise<boolean>;
}

export interface KeyOwner {
  readonly keys: KeyStore;
}

const most = 200;
const prefix = "grove_";

export async function listKeys({ keys }: KeyOwner): Promise<KeyWire[]> {
  return (await keys.list()).map(keyWire);
}

/**
 * With the id of one that was made, and whose secret nobody saw, makes no second.
 *
 * @throws {ChatError} `too-many-keys`, `key-exists`.
 */
export async function createKey(
  { keys }: KeyOwner,
  { name, ...scopes }: z.output<typeof createKeyRequest>,
  id: string = crypto.randomUUID(),
): Promise<NewKeyWire> {
  const others = (await keys.list()).filter((key) => key.id !== id && !key.revokedAt);
  if (others.length >= most)
    throw new ChatError("too-many-keys", `There are ${most} keys already. Revoke one first.`);
  const secret = prefix + randomBytes(32).toString("base64url");
  if (!(await keys.add({ id, name, scopes, hash: hashOf(secret), hint: secret.slice(-4) })))
    throw new ChatError(
      "key-exists",
      "This key was made already, and used or revoked since. It is in the list; make another one.",
    );
  const key = await keys.get(id);
  if (!key) throw new Error("The key was not stored.");
  return { key: keyWire(key), secret };
}

/** @throws {ChatError} `key-not-found`. */
export async function revokeKey({ keys }: KeyOwner, keyId: string): Promise<void> {
  if (!(await keys.revoke(keyId)))
    throw new ChatError("key-not-found", "This key does not exist, or is revoked already.");
}

/** The hash of a request's bearer token. @throws {ProgramError} 401 without one. */
export function keyHashOf(headers: Pick<Headers, "get">): string {
  const [, secret] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (!secret) {
    throw programError(
      "invalid-key",
      "Send a key as “Authorization: Bearer grove_…”. Settings, Programs makes one.",
    );
  }
  return hashOf(secret);
}

/** @throws {ProgramError} when the key is for MCP alone. */
export function assertUsesApi(key: StoredKey): void {
  if (!scopesOf(key).usesApi)
    throw programError("not-allowed", `The key “${key.name}” may only use MCP.`);
}

/** @throws {ProgramError} when the key may not do it. */
export function assertMay(key: StoredKey, act: { writes: boolean; model?: string }): void {
  const { canWrite, models, monthlyLimit } = scopesOf(key);
  if (act.writes && !canWrite)
    throw programError("not-allowed", `The key “${key.name}” may only read.`);
  if (act.model === undefined) return;
  if (models && !models.includes(act.model))
    throw programError(
      "not-allowed",
      `The key “${key.name}” may not use the model ${act.model}.`,
      "model",
    );
  if (monthlyLimit !== null && key.monthCost >= monthlyLimit) {
    throw programError(
      "over-limit",
      `The key “${key.name}” has spent its $${monthlyLimit} of this month. Raise the limit in Settings, Programs, or wait.`,
    );
  }
}

/** An unreadable row allows nothing. */
export function scopesOf({ scopes }: Pick<StoredKey, "scopes">): z.output<typeof keyScopes> {
  const read = keyScopes.safeParse(scopes);
  return read.data ?? nothing;
}

const nothing: z.output<typeof keyScopes> = {
  usesApi: false,
  canWrite: false,
  usesMemory: false,
  models: [],
  monthlyLimit: null,
  blocks: [],
  mcp: [],
};

function keyWire(key: StoredKey): KeyWire {
  const { id, name, hint, monthCost, createdAt, lastUsedAt, revokedAt } = key;
  return {
    id,
    name,
    hint,
    monthCost,
    ...scopesOf(key),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

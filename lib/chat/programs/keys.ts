import { createHash, randomBytes } from "node:crypto";
import type { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { KeyStore, StoredKey } from "@/lib/chat/core/key-store";
import {
  type createKeyRequest,
  type KeyScopes,
  type KeyWire,
  keyScopes,
  type McpScope,
  type NewKeyWire,
} from "@/lib/chat/wire/keys";
import { toWire } from "@/lib/chat/wire/wire";
import { programError } from "./program-error";

export interface KeyOwner {
  readonly keys: KeyStore;
}

const most = 200;
const prefix = "grove_";

export async function listKeys({ keys }: KeyOwner): Promise<KeyWire[]> {
  return (await keys.list()).map(keyWire);
}

/**
 * Given the id of a key whose secret nobody saw, makes no second one.
 *
 * @throws {ChatError} `too-many-keys`, `key-exists`.
 */
export async function createKey(
  { keys }: KeyOwner,
  { name, ...scopes }: Omit<z.input<typeof createKeyRequest>, "newProject">,
  id: string = crypto.randomUUID(),
): Promise<NewKeyWire> {
  await assertRoomForKey({ keys }, id);
  const secret = prefix + randomBytes(32).toString("base64url");
  const hash = scopes.space ? placedHashOf(secret) : hashOf(secret);
  if (!(await keys.add({ id, name, scopes, hash, hint: secret.slice(-4) })))
    throw new ChatError(
      "key-exists",
      "This key was made already, and used or revoked since. It is in the list; make another one.",
    );
  const key = await keys.get(id);
  if (!key) throw new Error("The key was not stored.");
  return { key: keyWire(key), secret };
}

/** @throws {ChatError} `too-many-keys`. */
export async function assertRoomForKey({ keys }: KeyOwner, id: string): Promise<void> {
  const others = (await keys.list()).filter((key) => key.id !== id && !key.revokedAt);
  if (others.length >= most)
    throw new ChatError("too-many-keys", `There are ${most} keys already. Revoke one first.`);
}

interface AppScopes {
  readonly mcp: readonly McpScope[];
  readonly space: string | null;
}

/** The secret is given to nobody. */
export async function createAppKey(
  { keys }: KeyOwner,
  { id, name, mcp, space }: { id: string; name: string } & AppScopes,
): Promise<void> {
  const scopes = { ...nothing, models: null, blocks: null, mcp: [...mcp], space, isApp: true };
  await keys.add({ id, name, scopes, hash: hashOf(randomBytes(32).toString("hex")), hint: "" });
}

type KeyChanges = {
  readonly [Field in "aliases" | "keeps" | "keptDays" | "maxRunning" | "mcp" | "space"]?:
    | KeyScopes[Field]
    | undefined;
};

/** @throws {ChatError} `key-not-found`. */
export async function changeKey(
  { keys }: KeyOwner,
  keyId: string,
  given: KeyChanges,
): Promise<KeyWire> {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined);
  const isChanged = await keys.changeScopes(keyId, Object.fromEntries(changes));
  const key = isChanged && (await keys.get(keyId));
  if (key) return keyWire(key);
  throw new ChatError("key-not-found", "This key does not exist, or is revoked already.");
}

export async function revokeKey({ keys }: KeyOwner, keyId: string): Promise<void> {
  if (!(await keys.revoke(keyId)))
    throw new ChatError("key-not-found", "This key does not exist, or is revoked already.");
}

/** One of these is stored. */
export function keyHashesOf(headers: Pick<Headers, "get">): readonly [string, string] {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const sent = [bearer, headers.get("x-api-key")?.trim()].filter(Boolean);
  // Anthropic's clients may send a key of Anthropic's as well.
  const secret = sent.find((each) => each?.startsWith(prefix)) ?? sent[0];
  if (!secret) {
    throw programError(
      "invalid-key",
      "Send a key as “Authorization: Bearer grove_…” or “x-api-key: grove_…”. Settings, API keys makes one.",
    );
  }
  return [hashOf(secret), placedHashOf(secret)];
}

export function assertUsesApi(key: StoredKey): void {
  if (!scopesOf(key).usesApi)
    throw programError("not-allowed", `The key “${key.name}” may only use MCP.`);
}

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
      `The key “${key.name}” has spent its $${monthlyLimit} of this month. Raise the limit in Settings, API keys, or wait.`,
    );
  }
}

/** The person chooses what a key keeps; `asked` is what the program says. */
export function isKeptBy(key: StoredKey, asked: boolean | null | undefined): boolean {
  const { keeps } = scopesOf(key);
  return keeps === "chats" || keeps === "log" || (keeps === "asked" && (asked ?? true));
}

/** An unreadable row allows nothing. */
export function scopesOf({ scopes }: Pick<StoredKey, "scopes">): z.output<typeof keyScopes> {
  const read = keyScopes.safeParse(scopes);
  return read.data ?? nothing;
}

const nothing: z.output<typeof keyScopes> = {
  space: null,
  usesApi: false,
  canWrite: false,
  usesMemory: false,
  keeps: "nothing",
  keptDays: null,
  models: [],
  aliases: {},
  monthlyLimit: null,
  maxRunning: null,
  blocks: [],
  mcp: [],
  isApp: false,
};

function keyWire(key: StoredKey): KeyWire {
  const { id, name, hint, monthCost, createdAt, lastUsedAt, revokedAt } = key;
  return {
    ...scopesOf(key),
    ...toWire({ id, name, hint, monthCost, createdAt, lastUsedAt, revokedAt }),
  };
}

/** Processes of version 0.2, which know no places, do not find the key by its secret. */
function placedHashOf(secret: string): string {
  return `place:${hashOf(secret)}`;
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

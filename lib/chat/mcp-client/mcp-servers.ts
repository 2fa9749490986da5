import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import {
  isServerSecret,
  type SecretSealer,
  type SettingsOwner,
  serverSecretName,
} from "@/lib/chat/core/settings-store";
import { keyHint } from "@/lib/chat/settings/providers";
import { listedTool } from "./listed-tools";

/** Stored beside its key; a row of another version is listed without its tools. */
const describedSchema = z.object({
  name: z.string().catch("Unreadable server"),
  url: z.string().catch(""),
  prefix: z.string().catch("server"),
  header: z.string().nullable().catch(null),
  keyHint: z.string().nullable().catch(null),
  tools: z.array(listedTool).catch([]),
  leftOut: z.array(z.string()).catch([]),
  problem: z.string().nullable().catch(null),
  signIn: z.enum(["none", "needed", "done"]).catch("none"),
});

export type StoredServer = z.output<typeof describedSchema> & { readonly id: string };

const sealedSchema = z.object({
  key: z.string().optional(),
  client: z.unknown().optional(),
  tokens: z.unknown().optional(),
  discovery: z.unknown().optional(),
  verifier: z.string().optional(),
  state: z.string().optional(),
  redirectUrl: z.string().optional(),
});

export type ServerSecrets = z.output<typeof sealedSchema>;

export interface ServerOwner extends SettingsOwner {
  readonly sealer: SecretSealer;
  readonly fetch?: typeof fetch | undefined;
}

const maxServers = 30;

export async function storedServers({ settings }: SettingsOwner): Promise<StoredServer[]> {
  const rows = await settings.secrets();
  return rows
    .filter(({ name }) => isServerSecret(name))
    .map(({ name, description }) => ({
      id: name.slice(serverSecretName("").length),
      ...describedSchema.parse(description),
    }));
}

export async function requireServer(owner: SettingsOwner, id: string): Promise<StoredServer> {
  const found = (await storedServers(owner)).find((server) => server.id === id);
  if (!found) throw new ChatError("server-not-found", "This server does not exist.");
  return found;
}

export async function secretsOf(
  { settings, sealer, personId }: ServerOwner,
  { id, url }: Pick<StoredServer, "id" | "url">,
): Promise<ServerSecrets> {
  const row = (await settings.secrets()).find(({ name }) => name === serverSecretName(id));
  const opened = row?.sealed ? await sealer.open(row.sealed, sealContext(personId, id, url)) : null;
  return opened === null ? {} : sealedSchema.parse(JSON.parse(opened));
}

export async function saveServer(
  { settings, sealer, personId }: ServerOwner,
  { id, ...server }: StoredServer,
  secrets: ServerSecrets,
): Promise<void> {
  const hasSecrets = Object.values(secrets).some((value) => value !== undefined);
  const context = sealContext(personId, id, server.url);
  await settings.saveSecret({
    name: serverSecretName(id),
    description: server,
    sealed: hasSecrets ? await sealer.seal(JSON.stringify(secrets), context) : null,
  });
}

export interface ServerWrite {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly header: string | null;
  /** `undefined` keeps the key, unless the address changes. */
  readonly key: string | null | undefined;
}

/**
 * Keeps the stored tools while the address stays: a key must not travel to another host.
 *
 * @throws {ChatError} when there are too many, or another has its name.
 */
export async function writtenServer(
  owner: ServerOwner,
  { id, name, url, header, key }: ServerWrite,
): Promise<{ server: StoredServer; secrets: ServerSecrets }> {
  const stored = await storedServers(owner);
  const others = stored.filter((server) => server.id !== id);
  if (others.length >= maxServers) {
    const message = `There are ${maxServers} servers already. Remove one first.`;
    throw new ChatError("too-many-servers", message);
  }
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
    const message = `A server named “${name}” already exists.`;
    throw new ChatError("server-name-taken", message, { field: "name" });
  }
  const before = stored.find((server) => server.id === id && server.url === url);
  const kept = before ? await secretsOf(owner, before) : {};
  const secrets = { ...kept, ...(key !== undefined && { key: key ?? undefined }) };
  const hint = secrets.key === undefined ? null : keyHint(secrets.key);
  const base = before ?? { tools: [], leftOut: [], problem: null, signIn: "none" as const };
  const prefix =
    before?.prefix ??
    freePrefix(
      name,
      others.map((other) => other.prefix),
    );
  return { server: { ...base, id, name, url, header, prefix, keyHint: hint }, secrets };
}

const prefixLength = 20;

/** Tools are named after their server, so they cannot be taken for Grove's or another's. */
export function freePrefix(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, prefixLength);
  const base = plain === "" ? "server" : plain;
  for (let n = 1; ; n++) {
    const free = n === 1 ? base : `${base}_${n}`;
    if (!taken.includes(free)) return free;
  }
}

export async function removeServer({ settings }: SettingsOwner, id: string): Promise<void> {
  if (!(await settings.removeSecret(serverSecretName(id))))
    throw new ChatError("server-not-found", "This server does not exist.");
}

function sealContext(personId: PersonId, id: string, url: string): string {
  return JSON.stringify([personId, "mcp", id, url]);
}

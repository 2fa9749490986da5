import { join } from "node:path";
import { user } from "grove-session/testing";
import { NextRequest } from "next/server";
import { z } from "zod";
import {
  bodyFor,
  contentTypeFor,
  type FoundRoute,
  filled,
  foundRoutes,
  type Ids,
} from "@/app/api/testing/route-matrix";
import { asPerson, inOwnSpace, type PersonId } from "@/lib/chat/core/person-in-space";
import { createKey } from "@/lib/chat/programs/keys";
import { createKeyRequest } from "@/lib/chat/wire/keys";
import type { TestDatabase } from "@/lib/postgres/testing/test-database";
import { services } from "@/lib/server/services";
import { startTestServices } from "@/lib/server/testing/test-services";
import { proxy } from "@/proxy";

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[]>> },
) => Promise<Response>;

export interface Asked {
  readonly isCancelled?: boolean;
  readonly body?: unknown;
  /** A program's key, sent beside the cookie. */
  readonly key?: string;
  /** A project, as the front door reads it off the address. */
  readonly space?: string;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
}

export interface AccountsWorld {
  readonly database: TestDatabase;
  readonly found: readonly FoundRoute[];
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly cookies: Record<string, string>;
  readonly keys: Readonly<Record<"owner" | "member" | "revoked", string>>;
  /** Values of parameters in addresses. */
  readonly ids: Record<string, string>;
  ask(name: string, subject: string, asked?: Asked): Promise<Answered>;
  join(name: string, role: "owner" | "admin" | "member"): Promise<void>;
  ownerIdOf(name: string): Promise<PersonId>;
  end(): Promise<void>;
}

export const origin = "https://grove.test";
/** A word in everything that the owner keeps. */
export const canary = "pelican";
export const metricsToken = "a token for the figures";
const programScopes = {
  name: "A program",
  canWrite: true,
  usesMemory: true,
  models: null,
  monthlyLimit: null,
  mcp: ["chats:read", "chats:search", "memory:read", "memory:write"],
};
const root = join(import.meta.dirname, "../../..");

/** Names of people are those of their cookies. */
export async function accountsWorld(): Promise<AccountsWorld> {
  const { database, end } = await startTestServices({
    HOST: "127.0.0.1",
    GROVE_ORIGIN: origin,
    GROVE_METRICS_TOKEN: metricsToken,
  });
  const found = await foundRoutes();
  const handlers = await handlersOf(found);
  const cookies: Record<string, string> = { anonymous: "" };
  const join = async (name: string, role: "owner" | "admin" | "member") => {
    cookies[name] = await accept(name, role);
  };
  const ownerIdOf = async (name: string) => {
    const [row] = await database.sql<{ owner_id: string }[]>`
      select owner_id from account_user where name = ${name}`;
    return asPerson(row?.owner_id ?? "");
  };
  await join("owner", "owner");
  await join("admin", "admin");
  for (const name of ["member", "revoked", "expired"]) await join(name, "member");
  const { sql } = database;
  await sql`delete from account_session where user_id = (select id from account_user where name = 'revoked')`;
  await sql`update account_session set expires_at = now() where user_id = (select id from account_user where name = 'expired')`;
  const keyOf = async (name: string) => {
    const { keys } = services().acting(inOwnSpace(await ownerIdOf(name)));
    return createKey({ keys }, createKeyRequest.parse(programScopes));
  };
  const [ownKey, memberKey, revokedKey] = [
    await keyOf("owner"),
    await keyOf("member"),
    await keyOf("member"),
  ];
  await services()
    .acting(inOwnSpace(await ownerIdOf("member")))
    .keys.revoke(revokedKey.key.id);
  await fill(await ownerIdOf("owner"));
  for (const name of ["admin", "member"])
    await services()
      .acting(inOwnSpace(await ownerIdOf(name)))
      .settings.change({ exampleMade: true });
  const ids: Record<string, string> = await conversationOf(
    { found, handlers, cookie: "", ids: {} },
    ownKey.secret,
  );
  return {
    database,
    found,
    handlers,
    cookies,
    ids,
    keys: { owner: ownKey.secret, member: memberKey.secret, revoked: revokedKey.secret },
    ask: (name, subject, asked = {}) =>
      ask({ found, handlers, ids, cookie: cookies[subject] ?? "" }, name, asked),
    join,
    ownerIdOf,
    end,
  };
}

async function handlersOf(found: readonly FoundRoute[]): Promise<Map<string, Handler>> {
  const handlers = new Map<string, Handler>();
  for (const { name, method, file, isPage } of found) {
    if (isPage) continue;
    const module = (await import(join(root, file))) as Record<string, Handler>;
    const handler = module[method];
    if (handler) handlers.set(name, handler);
  }
  return handlers;
}

async function accept(name: string, role: "owner" | "admin" | "member"): Promise<string> {
  const { accounts } = services();
  const made = await accounts?.invite({ role, email: null, createdBy: null });
  const secret = new URL(made?.link ?? "").hash.slice(1);
  const person = { secret, name, email: `${name}@example.org`, password: `password of ${name}` };
  const accepted = await accounts?.accept(person, new Headers());
  return (accepted?.cookies.getSetCookie() ?? []).map((each) => each.split(";", 1)[0]).join("; ");
}

/** Everything of the owner has the word, under ids that the others know. */
async function fill(personId: PersonId): Promise<void> {
  const { store, settings } = services().acting(inOwnSpace(personId));
  await store.sessions.create(canary, { id: "s", tags: [canary] });
  await store.messages("s").appendMessage(user("m", canary));
  await settings.change({ exampleMade: true, customName: canary });
}

async function conversationOf(way: Way, key: string): Promise<Ids> {
  const items = [{ type: "message", role: "user", content: canary }];
  const made = await ask(way, "POST /v1/conversations", { key, body: { items } });
  const { id: conversationId } = named.parse(JSON.parse(made.text));
  const path = "GET /v1/conversations/:conversationId/items";
  const listed = await ask({ ...way, ids: { conversationId } }, path, { key });
  const [item] = z.object({ data: z.array(named) }).parse(JSON.parse(listed.text)).data;
  return { conversationId, itemId: item?.id ?? "", responseId: item?.id ?? "" };
}

const named = z.object({ id: z.string() });

interface Way {
  readonly ids: Ids;
  readonly found: readonly FoundRoute[];
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly cookie: string;
}

async function ask(
  { found, handlers, cookie, ids }: Way,
  name: string,
  { isCancelled = false, body = bodyFor(name), key, space }: Asked,
): Promise<Answered> {
  const route = found.find((each) => each.name === name);
  if (!route) throw new Error(`There is no ${name}.`);
  const { path, params } = filled(route.path, ids);
  const leaving = new AbortController();
  const init = {
    method: route.method,
    headers: {
      host: "grove.test",
      origin,
      cookie,
      "content-type": contentTypeFor(name),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(space !== undefined && { "x-grove-space": space }),
    },
    ...(route.method !== "GET" && { body: JSON.stringify(body) }),
    signal: leaving.signal,
  };
  const url = `${origin}${path}?q=${canary}`;
  // A page is rendered only for people whom the proxy lets pass.
  const answering = route.isPage
    ? proxy(new NextRequest(url, init))
    : handlers.get(name)?.(new Request(url, init), { params: Promise.resolve(params) });
  if (isCancelled) setTimeout(() => leaving.abort(), Math.random() * 5);
  const response = await answering;
  const isStream = response?.headers.get("content-type")?.startsWith("text/event-stream");
  if (isStream) await response?.body?.cancel();
  return {
    status: response?.status ?? 0,
    text: isStream ? "" : ((await response?.text()) ?? ""),
    location: response?.headers.get("location") ?? null,
  };
}

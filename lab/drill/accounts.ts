import type { Sql } from "grove-session/postgres";
import { connect, PostgresSessionStore } from "grove-session/postgres";
import { z } from "zod";
import {
  type Access,
  accessOf,
  bodyFor,
  contentTypeFor,
  type FoundRoute,
  filled,
  foundRoutes,
  type Ids,
  ofOneself,
} from "@/app/api/testing/route-matrix";
import { ownerRows } from "@/lib/postgres/testing/owner-rows";
import { Random } from "@/lib/text/testing/random";
import { type DrillSite, withSite } from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import {
  drillOrigin,
  joinAs,
  keyOf,
  type Person,
  ProxiedClient,
  type Received,
} from "./drill-people";

export const accounts: Drill = {
  name: "accounts",
  promise:
    "No other person reads or changes anything of yours, whatever they ask and however they leave.",
  unit: "requests",
  fullCount: 100_000,
  run: (options) => withSite(options, (site) => askAll(site, options)),
};

const clients = 12;
/** Words in everything that the owner keeps, and in everything that the others keep. */
const [canary, othersCanary] = ["pelican", "walrus"];
const cancelledShare = 0.1;
const leavesWithinMs = 30;

interface Subject {
  readonly name: string;
  readonly kind: "stranger" | "member" | "admin" | "owner";
  readonly cookie: string;
  readonly key: string | undefined;
}

interface Matrix {
  readonly client: ProxiedClient;
  readonly routes: readonly (FoundRoute & { access: Access })[];
  readonly subjects: readonly Subject[];
  readonly ids: Ids;
}

async function askAll(
  site: DrillSite,
  { count, seed, signal, say }: DrillOptions,
): Promise<DrillResult> {
  const { address, printed } = await site.server({
    GROVE_ORIGIN: drillOrigin,
    GROVE_METRICS_TOKEN: "a token for the figures",
  });
  const sql = connect(site.database().url, { max: 2 });
  const client = new ProxiedClient(address, clients);
  try {
    const { owner, ...matrix } = await makeMatrix(client, sql);
    const before = JSON.stringify(await ownerRows(sql, owner.ownerId));
    const broken: string[] = [];
    const figures = {
      "refused by 401, 403 or the door": 0,
      "answered 2xx": 0,
      cancelled: 0,
      "database late": 0,
    };
    let next = 0;
    const work = async (random: Random) => {
      while (next < count && !signal.aborted && broken.length < 100) {
        const number = ++next;
        const asked = drawn(matrix, random);
        const answer = await client.send(asked.sent).catch((error: unknown) => {
          broken.push(`${asked.route.name} as ${asked.subject.name}: ${String(error)}`);
          say(printed());
          return null;
        });
        if (answer === null) figures.cancelled++;
        else if (answer.status < 300) figures["answered 2xx"]++;
        else if (isRefusal(answer)) figures["refused by 401, 403 or the door"]++;
        const isLate = answer !== null && isDatabaseLate(asked.route, answer.status, printed());
        if (isLate) figures["database late"]++;
        const problem = answer && problemOf(asked, answer, isLate);
        if (problem) broken.push(`${asked.route.name} as ${asked.subject.name}: ${problem}`);
        if (problem && answer && answer.status >= 500) say(printed());
        if (number % 5_000 === 0) say(`${number} requests`);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, n) => work(new Random(seed + n))));
    if (JSON.stringify(await ownerRows(sql, owner.ownerId)) !== before)
      broken.push("Something of the owner was changed.");
    const { cookie } = owner;
    const own = await client.send({ path: "/api/sessions", cookie });
    if (!own?.text.includes(canary)) broken.push("The owner no longer sees their own chat.");
    const { length: routes } = matrix.routes;
    return { broken, figures: { requests: next, routes, ...figures } };
  } finally {
    client.end();
    await sql.end({ timeout: 1 });
  }
}

async function makeMatrix(client: ProxiedClient, sql: Sql): Promise<Matrix & { owner: Person }> {
  const owner = await joinAs(client, { sql, name: "owner", role: "owner" });
  const admin = await joinAs(client, { sql, name: "admin", role: "admin" });
  const [member, revoked, expired] = [
    await joinAs(client, { sql, name: "member", role: "member" }),
    await joinAs(client, { sql, name: "revoked", role: "member" }),
    await joinAs(client, { sql, name: "expired", role: "member" }),
  ];
  // Each page and each request makes the example of a person who has none.
  for (const { cookie } of [owner, admin, member])
    await client.send({ path: "/api/about", cookie });
  await keep(sql, owner, { id: "s", text: canary });
  for (const person of [admin, member, revoked, expired])
    await keep(sql, person, { id: "other", text: othersCanary });
  await sql`delete from account_session where user_id = (select id from account_user where name = 'revoked')`;
  await sql`update account_session set expires_at = now() where user_id = (select id from account_user where name = 'expired')`;
  const [ownKey, memberKey, adminKey] = [
    await keyOf(client, owner),
    await keyOf(client, member),
    await keyOf(client, admin),
  ];
  const found = await foundRoutes();
  const routes = found.flatMap((route) => {
    const access = accessOf(route);
    return access === null || ofOneself.test(route.name) ? [] : [{ ...route, access }];
  });
  const stranger = { kind: "stranger", key: undefined } as const;
  const subjects: Subject[] = [
    { ...stranger, name: "anonymous", cookie: "" },
    { ...stranger, name: "revoked", cookie: revoked.cookie },
    { ...stranger, name: "expired", cookie: expired.cookie },
    { name: "member", kind: "member", cookie: member.cookie, key: memberKey },
    { name: "admin", kind: "admin", cookie: admin.cookie, key: adminKey },
    { name: "owner", kind: "owner", cookie: owner.cookie, key: ownKey },
  ];
  return { client, owner, routes, subjects, ids: await conversationOf(client, ownKey) };
}

async function keep(
  sql: Sql,
  { ownerId }: Person,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const store = new PostgresSessionStore(sql, ownerId);
  await store.sessions.create(text, { id, tags: [text] });
  await store
    .messages(id)
    .appendMessage({ id: "m", role: "user", parts: [{ type: "text", text }] });
}

const named = z.object({ id: z.string() });

/** A program of the owner kept the word, under ids that are made for it. */
async function conversationOf(client: ProxiedClient, key: string): Promise<Ids> {
  const path = "/v1/conversations";
  const body = { items: [{ type: "message", role: "user", content: canary }] };
  const made = await client.send({ method: "POST", path, key, body });
  const { id: conversationId } = named.parse(JSON.parse(made?.text ?? "{}"));
  const listed = await client.send({ path: `${path}/${conversationId}/items`, key });
  const list = z.object({ data: z.array(named) }).parse(JSON.parse(listed?.text ?? "{}"));
  const itemId = list.data[0]?.id ?? "";
  return { conversationId, itemId, responseId: itemId };
}

function drawn({ routes, subjects, ids }: Matrix, random: Random) {
  const subject = one(subjects, random);
  // The owner only reads: what is theirs must stay as it is.
  const asked = subject.kind === "owner" ? routes.filter(({ method }) => method === "GET") : routes;
  const route = one(asked, random);
  const { path } = filled(route.path, ids);
  const usesKey = random.next() < 0.5;
  const leavesAfter = random.next() < cancelledShare ? random.next() * leavesWithinMs : null;
  const sent = {
    method: route.method,
    path: `${path}?q=${canary}`,
    cookie: subject.cookie,
    key: usesKey && route.access === "key" ? subject.key : undefined,
    type: contentTypeFor(route.name),
    body: bodyFor(route.name),
    leavesAfter,
  };
  return { route, subject, sent };
}

function one<Item>(items: readonly Item[], random: Random): Item {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error("There is nothing to draw from.");
  return item;
}

function isRefusal({ status }: Received): boolean {
  return status === 401 || status === 403 || status === 303;
}

/** Detects a busy machine. Next's page for a failure always has the status 500, and each failure is printed. */
function isDatabaseLate({ access }: { access: Access }, status: number, printed: string): boolean {
  if (status !== 500 || access !== "page") return status === 503;
  const failures = printed.split("\n").filter((line) => line.startsWith("⨯ "));
  return failures.length > 0 && failures.every((line) => line.includes("DatabaseConnectionError"));
}

function problemOf(
  { route, subject, sent }: ReturnType<typeof drawn>,
  { status, text, headers }: Received,
  isLate: boolean,
): string | null {
  if (status >= 500 && !isLate) return `failed with ${status}: ${text.slice(0, 200)}`;
  const said = text.replaceAll(/q=pelican|q%3Dpelican/g, "");
  if (subject.kind !== "owner" && said.includes(canary)) return `read: ${excerpt(said, canary)}`;
  if (subject.kind === "owner" && said.includes(othersCanary))
    return `read: ${excerpt(said, othersCanary)}`;
  if (isLate) return null;
  const { access } = route;
  if (access === "token" && status !== 401) return `got ${status} without the token`;
  if (access === "key" && sent.key === undefined && status !== 401)
    return `got ${status} without a key`;
  if (access === "administrator" && subject.kind === "member" && status !== 403 && status !== 400)
    return `got ${status}, not being an administrator`;
  if (subject.kind !== "stranger") return null;
  if ((access === "person" || access === "administrator") && status !== 401)
    return `got ${status}, not being signed in`;
  if (access === "page" && !(status === 303 && /\/sign-in(\?|$)/.test(headers.location ?? "")))
    return `got ${status}, not the sign-in page`;
  return null;
}

function excerpt(text: string, word: string): string {
  const at = text.indexOf(word);
  return JSON.stringify(text.slice(Math.max(0, at - 80), at + 80));
}

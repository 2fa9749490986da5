import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { connect } from "grove-session/postgres";
import { identifier } from "@/lib/postgres/connections/sql";
import { brokenInvariants } from "@/lib/postgres/testing/broken-invariants";
import { Random } from "@/lib/text/testing/random";
import { type DrillSite, withSite } from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { drillOrigin, joinAs, keyOf, type Person, ProxiedClient, type Sent } from "./drill-people";
import { importedChat } from "./pair-writes";

export const leavers: Drill = {
  name: "leavers",
  promise:
    "An account, or everything in it, is deleted whole while its person, their programs and an import write on.",
  unit: "deletions",
  fullCount: 100,
  run: (options) => withSite(options, (site) => deleteMany(site, options)),
};

const atOnce = 2;
const sockets = 40;
const longestBeforeMs = 400;
const afterMs = 150;
const betweenWritesMs = 10;
const againWithinMs = 30_000;
const mostProblems = 20;

interface Place {
  readonly sql: Sql;
  readonly clients: readonly [ProxiedClient, ProxiedClient];
}

interface Figures {
  writes: number;
  refused: number;
}

async function deleteMany(site: DrillSite, options: DrillOptions): Promise<DrillResult> {
  const { count, seed, signal, say } = options;
  const environment = { GROVE_ORIGIN: drillOrigin, GROVE_TRUSTED_PROXIES: "1" };
  const servers = [await site.server(environment), await site.server(environment)] as const;
  site.model.pace = { words: 20, pauseMs: 10 };
  const sql = connect(site.database().url, { deadlineMs: null, max: 4 });
  const [one, other] = servers.map(({ address }) => new ProxiedClient(address, sockets));
  if (!one || !other) throw new Error("There are two servers.");
  const place: Place = { sql, clients: [one, other] };
  const broken: string[] = [];
  const figures = { deletions: 0, writes: 0, refused: 0 };
  try {
    await joinAs(one, { sql, name: "owner", role: "owner" });
    let next = 0;
    const work = async () => {
      while (next < count && !signal.aborted && broken.length < mostProblems) {
        const number = next++;
        const problems = await leave(place, { number, random: new Random(seed + number), figures });
        broken.push(...problems.map((problem) => `deletion ${number}: ${problem}`));
        if (++figures.deletions % 10 === 0) say(`${figures.deletions} deletions`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return { broken, figures };
  } finally {
    for (const client of place.clients) client.end();
    await sql.end({ timeout: 1 });
  }
}

/** Deletions in turn: the account, all that it holds, and both at once through two processes. */
const endings = [["account"], ["data"], ["data", "data"], ["account", "data"]] as const;

interface Leaving {
  readonly number: number;
  readonly random: Random;
  readonly figures: Figures;
}

async function leave(
  { sql, clients }: Place,
  { number, random, figures }: Leaving,
): Promise<string[]> {
  const name = `leaver-${number}`;
  const from = `10.0.${number >> 8}.${number & 255}`;
  const person = await joinAs(clients[0], { sql, name, role: "member", from });
  const key = await keyOf(clients[0], person);
  await clients[0].send({ path: "/api/export", cookie: person.cookie, readsOn: true });
  const asked = endings[number % endings.length] ?? endings[0];
  // Everything in an account is not deleted while an answer is written; its person stops that first.
  const generate = !asked.some((what) => what === "data");
  const writers = keepWriting({ clients, person, key, from, figures, generate });
  await pause(random.below(longestBeforeMs));
  const bodies = {
    account: { path: "/api/account", body: { email: `${name}@example.org` } },
    data: { path: "/api/data", body: { confirm: "delete everything" } },
  };
  const { cookie } = person;
  const answers = await Promise.all(
    asked.map((what, at) =>
      clients[at === 0 ? 0 : 1].send({ method: "DELETE", cookie, from, ...bodies[what] }),
    ),
  );
  await pause(afterMs);
  const problems = await writers.stop();
  const statuses = answers.map((answer) => answer?.status ?? 0);
  const isGone = asked.some((what, at) => what === "account" && statuses[at] === 200);
  if (!statuses.includes(200) || statuses.some((status) => status >= 500 && status !== 503))
    problems.push(`${asked.join(" and ")}: ${answers.map((answer) => answer?.text).join(" and ")}`);
  problems.push(...(await brokenInvariants(sql, person.ownerId)));
  if (!isGone) {
    const again = () => clients[0].send({ method: "DELETE", cookie, from, ...bodies.data });
    const giveUpAt = performance.now() + againWithinMs;
    let repeated = await again();
    // The status while an answer is written, or while the other process deletes.
    while ([409, 503].includes(repeated?.status ?? 0) && performance.now() < giveUpAt) {
      await pause(betweenWritesMs * 10);
      repeated = await again();
    }
    if (repeated?.status !== 200) problems.push(`Repeated: ${repeated?.text}`);
  }
  const left = (await tablesWith(sql, person.ownerId)).filter((table) => {
    return isGone || table !== "chat_owner";
  });
  if (left.length > 0) problems.push(`Rows are left in ${left.join(", ")}.`);
  const [account] = await sql`select from account_user where name = ${name}`;
  if (isGone && account) problems.push("The account is there.");
  return problems;
}

interface Writing {
  readonly clients: Place["clients"];
  readonly person: Person;
  readonly key: string;
  readonly from: string;
  readonly figures: Figures;
  readonly generate: boolean;
}

function keepWriting({ clients, person, key, from, figures, generate }: Writing) {
  let isOver = false;
  const faults = new Set<string>();
  const { name, cookie } = person;
  const work = async (write: (n: number) => Sent, place: number) => {
    for (let n = place * 10_000; !isOver; n++) {
      const sent = { method: "POST", cookie, from, ...write(n) };
      const answer = await clients[n % 2 === 0 ? 0 : 1].send(sent).catch(String);
      const { status, text } =
        typeof answer === "string" || !answer ? { status: 599, text: `${answer}` } : answer;
      figures.writes++;
      if (status >= 400) figures.refused++;
      if (status >= 500 && !isLate(status, text)) faults.add(`${sent.path}: ${text}`);
      await pause(betweenWritesMs);
    }
  };
  const writing = writes(name, { key, generate }).map(work);
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(writing);
      return [...faults];
    },
  };
}

/** On a busy machine the database refuses in time, and a section of memory says that it took more than 5 s. */
function isLate(status: number, text: string): boolean {
  return status === 503 || text.includes("no answer within");
}

const parts = [{ type: "text", text: "Hello" }];

function writes(
  name: string,
  { key, generate }: Pick<Writing, "key" | "generate">,
): ((n: number) => Sent)[] {
  const messages = (chat: string) => `/api/sessions/${chat}/messages`;
  const chat = `${name}-chat`;
  return [
    (n) => ({
      path: messages(chat),
      body: { id: `m${n}`, parts, generate: false, newSession: {} },
    }),
    (n) => ({
      path: messages(`${name}-${n}`),
      body: { id: `q${n}`, parts, generate, newSession: {} },
    }),
    (n) => ({ path: `/api/sessions/${chat}/fork`, body: { id: `${name}-f${n}`, messageId: "m0" } }),
    (n) => ({ method: "PATCH", path: "/api/settings", body: { customName: `Name ${n}` } }),
    () => ({
      path: "/api/keys",
      body: {
        name: "A program",
        canWrite: true,
        usesMemory: true,
        models: null,
        monthlyLimit: null,
      },
    }),
    () => ({
      path: "/api/account/sign-in",
      cookie: "",
      body: { email: `${name}@example.org`, password: `the password of ${name}` },
    }),
    (n) => ({
      path: "/v1/conversations",
      key,
      body: { items: [{ type: "message", role: "user", content: `Said ${n}` }] },
    }),
    (n) => ({ method: "PUT", path: "/api/blocks/memory", body: { content: `Fact ${n}` } }),
    (n) => ({ path: "/api/blocks/knowledge/entries", body: { title: `T${n}`, content: "Text" } }),
    (n) => ({
      path: `/api/files?name=${n}.txt`,
      type: "application/octet-stream",
      body: `File ${n} of ${name}`,
    }),
    (n) => ({
      path: "/api/import",
      type: "application/x-ndjson",
      lines: importedChat(`${name}-i${n}`),
    }),
  ];
}

/** Tables with rows of the owner or their namespaces; the hash that says an account is gone does not count. */
async function tablesWith(sql: Sql, ownerId: string): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'owner_id' and table_name like 'chat\_%'
      and table_name !~ '^chat_search_\d'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await sql`
      select from ${identifier(name)} where split_part(owner_id, chr(31), 1) = ${ownerId} limit 1`;
    if (row) found.push(name);
  }
  return found;
}

import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { Random } from "@/lib/bench/random";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";
import { deleteSession, removeDeletion, restoreDeletion } from "@/lib/chat/data/deletions";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { checkedStatements } from "@/lib/postgres/connections/statement";
import { removeExpiredSessions, removeOldDeletions } from "@/lib/postgres/internal";
import { withoutTimes } from "@/lib/postgres/portable/testing/full-owner";
import { type OwnerServices, temporaryEnd } from "@/lib/server/owner-services";
import { brokenInvariants } from "./broken-invariants";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { exported } from "./exports";
import { makeLargeChat, makeLargeOwner } from "./large-owner";

export const ends: Drill = {
  name: "ends",
  promise:
    "A deletion, a sweep or an export that is killed at any moment leaves nothing broken, and ends as one that was not when it is repeated.",
  unit: "kills",
  fullCount: 200,
  run: (options) =>
    onDrillDatabase(({ patientSql, connections: { sql } }) =>
      killEach(options, { sql, observer: patientSql, size: 100 }),
    ),
};

interface Place {
  /** Its connections die; they are named `victims`. */
  readonly sql: Sql;
  readonly observer: Sql;
  /** Chats of each owner, and messages of their long chat. */
  readonly size: number;
}

/** Of pools whose connections are killed, as of the app's own. */
export const victims = "grove";
/** Statements of one thing are fewer. */
const mostStatements = 30;
const longestLifeMs = 8;
const attempts = 5;

interface Ending {
  readonly name: string;
  readonly prepare?: (services: OwnerServices) => Promise<unknown>;
  readonly act: (services: OwnerServices, sql: Sql) => Promise<unknown>;
}

const subtree = { ids: ["t4"], subtree: true, deletionId: "subtree" };
const lender = "chat-0000009";

const endings: Ending[] = [
  { name: "delete everything", act: ({ data }) => data.deleteAll() },
  { name: "delete the owner", act: ({ data }) => data.deleteOwner() },
  { name: "delete a subtree", act: (services) => deleteMessages(services, "long", subtree) },
  {
    name: "restore a subtree",
    prepare: (services) => deleteMessages(services, "long", subtree),
    act: (services) => restoreDeletion(services, subtree.deletionId),
  },
  {
    name: "remove messages for good",
    prepare: (services) => deleteMessages(services, "long", subtree),
    act: (services) => removeDeletion(services, subtree.deletionId),
  },
  { name: "delete a chat", act: (services) => deleteSession(services, lender, "chat") },
  {
    name: "remove a chat that others borrow from",
    prepare: (services) => deleteSession(services, lender, "chat"),
    act: (services) => removeDeletion(services, "chat"),
  },
  {
    name: "sweep",
    prepare: async (services) => {
      await deleteSession(services, lender, "chat");
      await deleteMessages(services, "long", subtree);
      await deleteSession(services, "chat-0000019", "another");
    },
    act: async (_, sql) => {
      await removeOldDeletions(sql, { olderThanMs: 0, most: 200 });
      await removeExpiredSessions(sql, { ownerEnd: temporaryEnd, most: 200 });
    },
  },
  { name: "empty a chat", act: ({ store }) => store.messages(lender).clearMessages() },
  { name: "export", act: (services) => exported(services) },
];

export async function killEach(
  { count, seed, signal, say }: DrillOptions,
  place: Place,
): Promise<DrillResult> {
  const broken: string[] = [];
  const figures = { kills: 0, "ended before the kill": 0 };
  for (let number = 0; number < count && !signal.aborted && broken.length === 0; number++) {
    const ending = endings[number % endings.length];
    if (!ending) break;
    const random = new Random(seed + number);
    const trial = `${ending.name} (seed ${seed + number})`;
    const { problems, wasKilled } = await kill(ending, { place, random, name: trial });
    broken.push(...problems.map((problem) => `${trial}: ${problem}`));
    figures[wasKilled ? "kills" : "ended before the kill"]++;
    if (number % endings.length === endings.length - 1) say(`${number + 1} kills`);
  }
  return { broken, figures };
}

async function kill(
  { prepare, act }: Ending,
  { place, random, name }: { place: Place; random: Random; name: string },
): Promise<{ problems: string[]; wasKilled: boolean }> {
  const { sql, observer } = place;
  const [owner, twin] = [`killed: ${name}`, `not killed: ${name}`];
  for (const each of [owner, twin]) {
    await makeData(place, each);
    await prepare?.(newOwner(observer, each));
  }
  const wasKilled = await killWithin(sql, { observer, random, owner, act });
  const broken = await brokenInvariants(observer, owner);
  await untilDone(async () => {
    await passTime(observer);
    await act(newOwner(sql, owner), sql);
  });
  await act(newOwner(observer, twin), observer);
  const [left, expected] = await Promise.all([owner, twin].map((each) => leftOf(observer, each)));
  const problems = broken.map((problem) => `after the kill: ${problem}`);
  problems.push(...(await brokenInvariants(observer, owner)).map((each) => `repeated: ${each}`));
  if (left !== expected) problems.push(difference(left ?? "", expected ?? ""));
  await passTime(observer);
  for (const each of [owner, twin]) await newOwner(observer, each).data.deleteOwner();
  return { problems, wasKilled };
}

async function makeData({ observer, size }: Place, owner: string): Promise<void> {
  await makeLargeOwner(observer, { owner, chats: size, messagesOfChat: 3 });
  const branches = Math.floor(size / 5);
  await makeLargeChat(observer, { owner, session: "long", messages: size, branches });
}

/** Acts until a statement is sent, and some milliseconds more. @returns whether the kill came before the end. */
async function killWithin(
  sql: Sql,
  {
    observer,
    random,
    owner,
    act,
  }: { observer: Sql; random: Random; owner: string; act: Ending["act"] },
): Promise<boolean> {
  const last = 1 + random.below(mostStatements);
  let sent = 0;
  let dying: Promise<unknown> | null = null;
  const mortal = checkedStatements(sql, () => {
    if (++sent === last) dying = die(observer, random.below(longestLifeMs));
    if (sent > last) throw new Error("The process is dead.");
  });
  if (!mortal) throw new Error("Only a pool of `connect` can die.");
  // One with few statements, each of them long, is killed by time alone.
  const late = delay(random.below(10 * longestLifeMs)).then(() => die(observer, 0));
  const wasKilled = await act(newOwner(mortal, owner), mortal).then(
    () => false,
    () => true,
  );
  await Promise.all([dying, late]);
  return wasKilled;
}

async function die(observer: Sql, afterMs: number): Promise<void> {
  await delay(afterMs);
  await observer`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${victims} and datname = current_database()`;
}

/** Minutes later, as far as the next process can tell. */
async function passTime(sql: Sql): Promise<void> {
  await sql`update chat_clearing set renewed_at = now() - interval '1 hour'`;
}

/** As a person or a sweep does: a connection that died says so once. */
async function untilDone(act: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await act();
      return;
    } catch (error) {
      if (attempt === attempts) throw error;
      await delay(10);
    }
  }
}

/** Everything that is stored of an owner. */
async function leftOf(sql: Sql, owner: string): Promise<string> {
  const lines = withoutTimes(await exported(newOwner(sql, owner)));
  const [rows] = await sql<[{ counts: Record<string, number> }]>`
    select jsonb_build_object(
      'sessions', (select count(*) from chat_session where owner_id = ${owner}),
      'branches', (select count(*) from chat_branch where owner_id = ${owner}),
      'messages', (select count(*) from chat_message where owner_id = ${owner}),
      'words', (select count(*) from chat_search where owner_id = ${owner}),
      'deletions', (select count(*) from chat_deletion where owner_id = ${owner}),
      'owners', (select count(*) from chat_owner where owner_id = ${owner})
    ) as counts`;
  return [JSON.stringify(rows.counts), ...lines].join("\n");
}

function difference(left: string, expected: string): string {
  const [lines, others] = [left.split("\n"), expected.split("\n")];
  const at = lines.findIndex((line, n) => line !== others[n]);
  return `It ended with ${lines[at]} instead of ${others[at]}`;
}

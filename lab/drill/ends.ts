import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { Random } from "@/lab/bench/random";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";
import { deleteSession, removeDeletion, restoreDeletion } from "@/lib/chat/data/deletions";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { checkedStatements } from "@/lib/postgres/connections/statement";
import { removeExpiredSessions, removeOldDeletions } from "@/lib/postgres/internal";
import { withoutTimes } from "@/lib/postgres/portable/testing/full-owner";
import { makeLargeChat, makeLargeOwner } from "@/lib/postgres/testing/large-owner";
import { type OwnerServices, temporaryEnd } from "@/lib/server/owner-services";
import { brokenInvariants } from "./broken-invariants";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { exported } from "./exports";

export const ends: Drill = {
  name: "ends",
  promise:
    "A deletion, a sweep or an export that is killed at any moment leaves nothing broken, and ends as one that was not when it is repeated.",
  unit: "kills",
  fullCount: 200,
  run: (options) =>
    onDrillDatabase(
      ({ patientSql, connections: { sql } }) =>
        killEach(options, { sql, observer: patientSql, size: 100 }),
      { isDurable: false },
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

/** Each thing in turn, until as many were killed. */
export async function killEach(
  { count, seed, signal, say }: DrillOptions,
  place: Place,
): Promise<DrillResult> {
  const broken: string[] = [];
  const figures = { kills: 0, "ended before the kill": 0 };
  const isOver = () => signal.aborted || broken.length > 0 || figures.kills >= count;
  for (let number = 0; number < 2 * count && !isOver(); number++) {
    const ending = endings[number % endings.length];
    if (!ending) break;
    const random = new Random(seed + number);
    const trial = `${ending.name} (seed ${seed + number})`;
    const { problems, wasKilled } = await kill(ending, { place, random, name: trial });
    broken.push(...problems.map((problem) => `${trial}: ${problem}`));
    figures[wasKilled ? "kills" : "ended before the kill"]++;
    if (number % endings.length === endings.length - 1) say(`${figures.kills} kills`);
  }
  return { broken, figures };
}

async function kill(
  { prepare, act }: Ending,
  { place, random, name }: { place: Place; random: Random; name: string },
): Promise<{ problems: string[]; wasKilled: boolean }> {
  const { sql, observer } = place;
  const [owner, twin] = [`killed: ${name}`, `not killed: ${name}`];
  const make = async (each: string) => {
    await makeData(place, each);
    await prepare?.(newOwner(observer, each));
  };
  await make(twin);
  const whole = await measured(observer, (counted) => act(newOwner(counted, twin), counted));
  // Not before: a sweep is everybody's.
  await make(owner);
  const wasKilled = await killWithin(sql, { observer, random, owner, act, whole });
  const broken = await brokenInvariants(observer, owner);
  await untilDone(async () => {
    await passTime(observer);
    await act(newOwner(sql, owner), sql);
  });
  const [left, expected] = await Promise.all([owner, twin].map((each) => leftOf(observer, each)));
  const problems = broken.map((problem) => `after the kill: ${problem}`);
  problems.push(...(await brokenInvariants(observer, owner)).map((each) => `repeated: ${each}`));
  if (left !== expected) problems.push(difference(left ?? "", expected ?? ""));
  await passTime(observer);
  for (const each of [owner, twin]) await newOwner(observer, each).data.deleteOwner();
  return { problems, wasKilled };
}

interface Measured {
  readonly statements: number;
  readonly tookMs: number;
}

async function measured(sql: Sql, act: (counted: Sql) => Promise<unknown>): Promise<Measured> {
  let statements = 0;
  const counted = checked(sql, () => void statements++);
  const startedAt = performance.now();
  await act(counted);
  return { statements, tookMs: performance.now() - startedAt };
}

function checked(sql: Sql, sending: () => void): Sql {
  const pool = checkedStatements(sql, sending);
  if (!pool) throw new Error("Only a pool of `connect` can die.");
  return pool;
}

async function makeData({ observer, size }: Place, owner: string): Promise<void> {
  await makeLargeOwner(observer, { owner, chats: size, messagesOfChat: 3 });
  const branches = Math.floor(size / 5);
  await makeLargeChat(observer, { owner, session: "long", messages: size, branches });
}

interface Killing {
  readonly observer: Sql;
  readonly random: Random;
  readonly owner: string;
  readonly act: Ending["act"];
  /** The same, not killed. */
  readonly whole: Measured;
}

/**
 * Acts until one of its statements is sent and some milliseconds more, or, half the time, until a moment: a thing of few
 * statements, each of them long, is killed within one. @returns whether the kill came before the end.
 */
async function killWithin(
  sql: Sql,
  { observer, random, owner, act, whole }: Killing,
): Promise<boolean> {
  const isByTime = random.next() < 0.5;
  const last = isByTime ? Number.POSITIVE_INFINITY : 1 + random.below(whole.statements);
  let sent = 0;
  let dying: Promise<unknown> | null = null;
  let isDead = false;
  const mortal = checked(sql, () => {
    if (isDead || sent >= last) throw new Error("The process is dead.");
    if (++sent === last) dying = die(observer, random.below(longestLifeMs));
  });
  const late = async () => {
    await delay(random.below(Math.ceil(whole.tookMs)));
    isDead = true;
    await die(observer, 0);
  };
  const timed = isByTime ? late() : null;
  const wasKilled = await act(newOwner(mortal, owner), mortal).then(
    () => false,
    () => true,
  );
  await Promise.all([dying, timed]);
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

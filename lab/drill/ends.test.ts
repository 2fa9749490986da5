import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";
import { temporaryEnd } from "@/lib/chat/core/person-in-space";
import { deleteSession, removeDeletion, restoreDeletion } from "@/lib/chat/data/deletions";
import { exported, ofNoMoment } from "@/lib/chat/data/testing/compared-exports";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { connect } from "@/lib/postgres/connect";
import { interceptedStatements } from "@/lib/postgres/connections/statement";
import { removeExpiredSessions, removeOldDeletions } from "@/lib/postgres/internal";
import { withoutTimes } from "@/lib/postgres/portable/testing/full-owner";
import { brokenInvariants } from "@/lib/postgres/testing/broken-invariants";
import { makeLargeChat, makeLargeOwner } from "@/lib/postgres/testing/large-owner";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import type { Random } from "@/lib/text/testing/random";
import { depth, trySeeds } from "@/lib/text/testing/try-seeds";

/** Name of the pool whose connections are killed, as of the app's own. */
const victims = "grove";
const longestLifeMs = 8;
const attempts = 5;
/** Chats of each owner, and messages of their long chat. */
const size = depth > 1 ? 100 : 40;

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

let database: TestDatabase;
let observer: Sql;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  observer = connect(database.url, { deadlineMs: null });
  sql = connect(database.url, { max: 4, connection: { application_name: victims } });
});
afterAll(async () => {
  await Promise.all([sql, observer].map((pool) => pool.end({ timeout: 1 })));
  await database.drop();
});

test.each(endings)(
  "$name leaves nothing broken when killed, and ends as its twin when repeated",
  (ending) => trySeeds(1, (random) => killed(ending, random), { atOnce: 1 }),
);

/** Ends a thing at some moment, then repeats it, beside one that is not killed. */
async function killed({ prepare, act }: Ending, random: Random): Promise<void> {
  const [owner, twin] = [`killed ${crypto.randomUUID()}`, `not killed ${crypto.randomUUID()}`];
  const make = async (each: string) => {
    await makeData(each);
    await prepare?.(newOwner(observer, each));
  };
  await make(twin);
  const whole = await measured((counted) => act(newOwner(counted, twin), counted));
  // A sweep is everybody's, so the owner is made after it.
  await make(owner);
  await killWithin({ random, owner, act, whole });
  expect(await brokenInvariants(observer, owner)).toEqual([]);
  await untilDone(async () => {
    await passTime();
    await act(newOwner(sql, owner), sql);
  });
  expect(await brokenInvariants(observer, owner)).toEqual([]);
  expect(await leftOf(owner)).toEqual(await leftOf(twin));
  await passTime();
  for (const each of [owner, twin]) await newOwner(observer, each).data.deleteOwner();
}

interface Measured {
  readonly statements: number;
  readonly tookMs: number;
}

async function measured(act: (counted: Sql) => Promise<unknown>): Promise<Measured> {
  let statements = 0;
  const counted = checked(observer, () => void statements++);
  const startedAt = performance.now();
  await act(counted);
  return { statements, tookMs: performance.now() - startedAt };
}

function checked(of: Sql, sending: () => void): Sql {
  return interceptedStatements(of, (query) => {
    sending();
    return query;
  });
}

async function makeData(owner: string): Promise<void> {
  await makeLargeOwner(observer, { owner, chats: size, messagesOfChat: 3 });
  const branches = Math.floor(size / 5);
  await makeLargeChat(observer, { owner, session: "long", messages: size, branches });
}

interface Killing {
  readonly random: Random;
  readonly owner: string;
  readonly act: Ending["act"];
  readonly whole: Measured;
}

/**
 * Acts until one of its statements is sent and some milliseconds more, or, half the time, until a moment: a thing of few
 * statements, each of them long, is killed within one.
 */
async function killWithin({ random, owner, act, whole }: Killing): Promise<void> {
  const isByTime = random.next() < 0.5;
  const last = isByTime ? Number.POSITIVE_INFINITY : 1 + random.below(whole.statements);
  let sent = 0;
  let dying: Promise<unknown> | null = null;
  let isDead = false;
  const mortal = checked(sql, () => {
    if (isDead || sent >= last) throw new Error("The process is dead.");
    if (++sent === last) dying = die(random.below(longestLifeMs));
  });
  const late = async () => {
    await delay(random.below(Math.ceil(whole.tookMs)));
    isDead = true;
    await die(0);
  };
  const timed = isByTime ? late() : null;
  await Promise.allSettled([act(newOwner(mortal, owner), mortal)]);
  await Promise.all([dying, timed]);
}

async function die(afterMs: number): Promise<void> {
  await delay(afterMs);
  await observer`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${victims} and datname = current_database()`;
}

/** Minutes later, as far as the next process can tell. */
async function passTime(): Promise<void> {
  await observer`update chat_clearing set renewed_at = now() - interval '1 hour'`;
}

/** Retries as a person or a sweep does: a connection that died says so once. */
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

async function leftOf(owner: string): Promise<string[]> {
  const lines = withoutTimes(ofNoMoment(await exported(newOwner(observer, owner))));
  const [rows] = await observer<[{ counts: Record<string, number> }]>`
    select jsonb_build_object(
      'sessions', (select count(*) from chat_session where owner_id = ${owner}),
      'branches', (select count(*) from chat_branch where owner_id = ${owner}),
      'messages', (select count(*) from chat_message where owner_id = ${owner}),
      'words', (select count(*) from chat_search where owner_id = ${owner}),
      'deletions', (select count(*) from chat_deletion where owner_id = ${owner}),
      'owners', (select count(*) from chat_owner where owner_id = ${owner})
    ) as counts`;
  return [JSON.stringify(rows.counts), ...lines];
}

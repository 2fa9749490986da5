import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../../text/testing/random";
import { depth } from "../../text/testing/try-seeds";
import { openTransaction } from "../connections/own-connection";
import type { Sql } from "../connections/sql";
import { PostgresSessionStore } from "../postgres-session-store";
import { brokenInvariants } from "../testing/broken-invariants";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

/** A chat, a fork of it, and a fork of that. */
const overlapChats = ["first", "second", "third"] as const;
type Chat = (typeof overlapChats)[number];

interface Write {
  readonly chat: Chat;
  readonly kind: WriteKind;
}

type WriteKind = keyof typeof writes;
/** The texts of a chat by the ids of their messages. */
type Texts = ReadonlyMap<string, string>;

interface Target {
  readonly store: PostgresSessionStore;
  readonly chat: Chat;
}

interface Effect {
  readonly run: (target: Target) => Promise<unknown>;
  /** The texts of the chat afterwards; a fork of it is a chat of its own. */
  readonly after?: (texts: Texts, chat: Chat) => Texts;
}

const atOnce = 4;
const line = ["m1", "m2", "m3", "m4", "m5", "m6"];
const restored = "gone";

const writes = {
  append: {
    run: ({ store, chat }) => store.messages(chat).appendMessage(message(`new-${chat}`)),
    after: (texts, chat) => new Map([...texts, [`new-${chat}`, `new-${chat}`]]),
  },
  reply: {
    run: ({ store, chat }) => store.messages(chat).appendMessage(message(`reply-${chat}`), "m3"),
    after: (texts, chat) => new Map([...texts, [`reply-${chat}`, `reply-${chat}`]]),
  },
  fork: {
    run: ({ store, chat }) =>
      store.sessions.fork(chat, "m5", "Fork", { id: forkOf(chat), withSideBranches: true }),
  },
  activate: { run: ({ store, chat }) => store.messages(chat).setActiveLeaf("m4") },
  delete: {
    run: ({ store, chat }) => store.messages(chat).deleteMessages(["m2"]),
    after: (texts) => without(texts, "m2"),
  },
  restore: {
    run: ({ store, chat }) => store.messages(chat).restoreMessages(restored),
    after: (texts) => new Map([...texts, [restored, restored]]),
  },
  update: {
    run: ({ store, chat }) => store.messages(chat).updateMessage(message("m2", `changed-${chat}`)),
    after: (texts, chat) => new Map([...texts, ["m2", `changed-${chat}`]]),
  },
  pin: { run: ({ store, chat }) => store.messages(chat).setPinned("m1", true) },
  compact: { run: ({ store, chat }) => store.messages(chat).addCompaction("Summary", "m1", "m3") },
  skill: {
    run: ({ store, chat }) =>
      store.messages(chat).recordSkillEvent({ label: "skills", key: "tea" }, "load"),
  },
  clear: { run: ({ store, chat }) => store.messages(chat).clearMessages(), after: () => new Map() },
  remove: {
    run: ({ store, chat }) => store.sessions.delete(chat, { permanently: true }),
    after: () => new Map(),
  },
} satisfies Record<string, Effect>;

const kinds = Object.keys(writes) as WriteKind[];

/** Only the first chat has something to restore: where a fork deletes, it borrows no more. */
const overlapWrites: readonly Write[] = overlapChats.flatMap((chat) =>
  kinds.filter((kind) => kind !== "restore" || chat === "first").map((kind) => ({ chat, kind })),
);

/** Each two writes of different chats, in both orders. */
const pairs = overlapWrites.flatMap((first) =>
  overlapWrites.flatMap((second) => (first.chat === second.chat ? [] : [[first, second] as const])),
);

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("two writes at once in a chat and its forks both hold, whichever began first", {
  tags: "long",
}, async () => {
  const random = new Random(randomInt(2 ** 31));
  const waiting = pairs
    .map((pair) => ({ pair, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, 25 * depth);
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [first, second] = next.pair;
      const told = `${first.kind} in ${first.chat}, then ${second.kind} in ${second.chat}`;
      expect(await overlap(database.sql, first, second), told).toEqual([]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
});

/**
 * Runs `first` up to its commit, then `second` until it ends or waits, then lets both end: the moment at which one misses
 * what the other has not committed.
 *
 * @returns a sentence for each thing that is wrong afterwards.
 */
async function overlap(sql: Sql, first: Write, second: Write): Promise<string[]> {
  const store = new PostgresSessionStore(sql, `overlap-${crypto.randomUUID()}`);
  const before = await makeChats(store);
  const open = await openTransaction(sql, "write");
  const other = await openTransaction(sql, "write");
  const problems: string[] = [];
  const failed = (write: Write) => (error: unknown) => {
    problems.push(`${write.kind} in ${write.chat} failed: ${String(error)}`);
  };
  try {
    const [{ pid }] = await other<[{ pid: number }]>`select pg_backend_pid() as pid`;
    await run(open, store, first).catch(failed(first));
    const running = run(other, store, second)
      .then(() => other`commit`)
      .catch(failed(second));
    await endedOrWaiting(sql, running, pid);
    await open`commit`;
    await running;
  } finally {
    await Promise.all([open, other].map((each) => each.end({ timeout: 0 })));
  }
  for (const [chat, texts] of expected(before, [first, second]))
    problems.push(...differences(chat, texts, await textsOf(store, chat)));
  problems.push(...(await brokenInvariants(sql, store.ownerId)));
  return problems;
}

async function makeChats(store: PostgresSessionStore): Promise<Map<string, Texts>> {
  const [root] = overlapChats;
  await store.sessions.create(root, { id: root });
  for (const id of [...line.slice(0, 3), restored, ...line.slice(3)])
    await store.messages(root).appendMessage(message(id));
  await store.messages(root).deleteMessages([restored], { deletionId: restored });
  const chats = new Map<string, Texts>();
  for (const [n, chat] of overlapChats.entries()) {
    const source = overlapChats[n - 1];
    if (source) await store.sessions.fork(source, "m6", chat, { id: chat });
    chats.set(chat, new Map(line.map((id) => [id, id])));
  }
  return chats;
}

async function run(sql: Sql, { ownerId }: PostgresSessionStore, { kind, chat }: Write) {
  const effect: Effect = writes[kind];
  await effect.run({ store: new PostgresSessionStore(sql, ownerId), chat });
}

/** A statement that waits for a lock shows so in the server's list. */
async function endedOrWaiting(sql: Sql, running: Promise<unknown>, pid: number): Promise<void> {
  let isOver = false;
  void running.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const [row] = await sql<{ waits: boolean }[]>`
      select wait_event_type is not distinct from 'Lock' as waits from pg_stat_activity where pid = ${pid}`;
    if (row?.waits) return;
    await pause(1);
  }
}

function expected(before: ReadonlyMap<string, Texts>, both: readonly Write[]): Map<string, Texts> {
  const after = new Map(before);
  for (const { kind, chat } of both) {
    const effect: Effect = writes[kind];
    const texts: Texts = before.get(chat) ?? new Map<string, string>();
    if (kind === "fork") after.set(forkOf(chat), new Map(line.slice(0, 5).map((id) => [id, id])));
    else if (effect.after) after.set(chat, effect.after(texts, chat));
  }
  return after;
}

function differences(chat: string, wanted: Texts, found: Texts): string[] {
  const lost = [...wanted].filter(([id]) => !found.has(id)).map(([id]) => `${chat} lost ${id}.`);
  const extra = [...found].filter(([id]) => !wanted.has(id)).map(([id]) => `${chat} shows ${id}.`);
  const changed = [...wanted]
    .filter(([id, text]) => found.has(id) && found.get(id) !== text)
    .map(([id]) => `${chat} has another text of ${id}.`);
  return [...lost, ...extra, ...changed];
}

async function textsOf(store: PostgresSessionStore, chat: string): Promise<Texts> {
  if (!(await store.sessions.get(chat))) return new Map();
  const messages = store.messages(chat);
  const found = new Map<string, string>();
  for (const { id } of await messages.getTree()) {
    const stored = await messages.getMessage(id);
    const [part] = stored?.parts ?? [];
    found.set(id, String(part?.text));
  }
  return found;
}

function message(id: string, text = id) {
  return { id, role: "user" as const, parts: [{ type: "text" as const, text }] };
}

function without(texts: Texts, id: string): Texts {
  return new Map([...texts].filter(([each]) => each !== id));
}

function forkOf(chat: Chat): string {
  return `fork-of-${chat}`;
}

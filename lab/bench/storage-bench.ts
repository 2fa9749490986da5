import type { SessionMessage } from "grove-session";
import type { Sql } from "grove-session/postgres";
import { PostgresSessionStore } from "grove-session/postgres";
import { withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import { connect } from "@/lib/postgres/connect";
import { treeBranches } from "@/lib/postgres/tree/path-rows";
import { messageFromLine, window } from "@/lib/postgres/tree/window";
import { randomNumbers } from "@/lib/text/testing/random";
import { onBenchDatabase } from "./bench-app";
import { interleave, type Operation } from "./interleave";
import { measureReceipt } from "./measure-receipt";
import { measureSearch, searchInChat } from "./measure-search";
import { measureStreaming } from "./measure-streaming";
import { copyToPeer, createPeerTable, nameOfPeer, PeerStore } from "./peer-store";
import { benchOwner, sampleMessage, sampleText, seedSession, wordOf } from "./seed";

export type StorageFigures = Awaited<ReturnType<typeof storageBench>>;

interface StorageBench extends StorageMeasure {
  searchTotals: readonly number[];
}

/** Uses a separate database with production settings. */
export async function storageBench(options: StorageBench) {
  const { searchTotals: totals, say } = options;
  return withTemporaryFolder((dataDir) =>
    onBenchDatabase(dataDir, async (sql, url) => {
      const timed = connect(url, { max: 1 });
      const relaxed = connect(url, { max: 1 });
      try {
        const measured = await measureStorage({ sql, timed }, options);
        say("Letting 64 writers write, and streaming answers.");
        const writers = await measureWriters(sql);
        const streaming = await measureStreaming(timed, relaxed);
        const receiptStretch = await measureReceipt(timed, 10_000);
        const search =
          totals.length === 0 ? [] : await measureSearch({ sql, timed }, { ...options, totals });
        return { ...measured, writers, streaming, receiptStretch, search };
      } finally {
        await Promise.all([timed, relaxed].map((pool) => pool.end({ timeout: 1 })));
      }
    }),
  );
}

interface StorageMeasure {
  sizes: readonly number[];
  rounds: number;
  signal: AbortSignal;
  say: (line: string) => void;
}

const regenerateEvery = 20;
const ownedMessages = [1_000, 101_000];

/** Runs on one connection. `sql` creates the sessions, `timed` is measured. */
async function measureStorage(
  { sql, timed }: { sql: Sql; timed: Sql },
  { sizes, rounds, signal, say }: StorageMeasure,
) {
  await createPeerTable(sql);
  const operations = await floor(sql, timed);
  const largest = Math.max(...sizes);
  const store = new PostgresSessionStore(sql, benchOwner);
  for (const messages of sizes) {
    say(`Writing a session of ${messages.toLocaleString("en")} messages.`);
    const session = await seedSession(sql, { messages, regenerateEvery: null, signal });
    const history = await store.messages(session).getHistory();
    await copyToPeer(sql, session, history);
    const known = history[messages >> 1]?.id ?? "";
    operations.push(...sessionOperations(timed, { session, known, messages }));
  }
  const messages = Math.min(largest, 10_000);
  const session = await seedSession(sql, { messages, regenerateEvery, signal });
  operations.push(...branchedOperations(timed, { session, messages }));
  operations.push(...(await listOperations(sql, timed)));
  say("Writing the chats of an owner with 101,000 messages.");
  const searches = await searchInChat({ sql, timed }, { owned: ownedMessages, signal });
  // Like autovacuum within a minute; until then counting reads rows.
  await sql`vacuum analyze`;
  say(`Timing ${operations.length + searches.length} operations in ${rounds} rounds.`);
  const all = await interleave([...operations, ...searches], { rounds, signal });
  const timings = all.slice(0, operations.length);
  const chatSearches = all.slice(operations.length);
  return { timings, chatSearches, forkBytes: await bytesOfFork(sql, session) };
}

async function floor(sql: Sql, timed: Sql): Promise<Operation[]> {
  await sql`create table if not exists bench_floor (id bigint generated always as identity primary key, body text not null)`;
  const body = sampleText(randomNumbers(1), 600);
  return [
    { name: "select 1", messages: null, run: () => timed`select 1` },
    {
      name: "insert of 600 B with commit",
      messages: null,
      run: () => timed`insert into bench_floor (body) values (${body})`,
    },
  ];
}

function sessionOperations(
  sql: Sql,
  { session: id, known, messages }: { session: string; known: string; messages: number },
): Operation[] {
  const store = new PostgresSessionStore(sql, benchOwner);
  const session = store.messages(id);
  const next = nextMessage(randomNumbers(messages + 1));
  return [
    {
      name: "append",
      messages,
      prepare: next.make,
      run: () => session.appendMessage(next.message()),
    },
    {
      name: "append and window in one trip",
      messages,
      prepare: next.make,
      run: () =>
        Promise.all([session.appendMessage(next.message()), session.getWindow({ limit: 50 })]),
    },
    { name: "window of 50", messages, run: () => plainWindow(sql, id) },
    {
      name: "window of 50 with sibling counts",
      messages,
      run: () => session.getWindow({ limit: 50 }),
    },
    { name: "full history", messages, every: 5, run: () => session.getHistory() },
    { name: "tree, every message", messages, every: 5, run: () => session.getTree() },
    {
      name: "tree, its branches",
      messages,
      every: 5,
      run: () => treeBranches(sql, { owner: benchOwner, session: id }),
    },
    {
      name: "search in the session",
      messages,
      run: (round) => session.searchMessages(wordOf(100 + ((round * 37) % 3_000))),
    },
    { name: "message", messages, run: () => session.getMessage(known) },
    { name: "its branches", messages, run: () => session.getBranches(known) },
    { name: "fork", messages, run: async () => fork(store, id) },
    ...peerOperations(sql, { session: id, known, messages }),
  ];
}

function peerOperations(
  sql: Sql,
  { session, known, messages }: { session: string; known: string; messages: number },
): Operation[] {
  const peer = new PeerStore(sql, session);
  const next = nextMessage(randomNumbers(messages + 4));
  const lastOf = async () => (await peer.getHistory()).slice(-50);
  const operations: Operation[] = [
    {
      name: "append",
      messages,
      every: 5,
      prepare: next.make,
      run: () => peer.appendMessage(next.message()),
    },
    { name: "window of 50", messages, every: 5, run: lastOf },
    { name: "full history", messages, every: 5, run: () => peer.getHistory() },
    { name: "tree, every message", messages, every: 5, run: () => peer.getTree() },
    { name: "message", messages, run: () => peer.getMessage(known) },
    { name: "its branches", messages, run: () => peer.getBranches(known) },
  ];
  return operations.map((operation) => ({ ...operation, name: nameOfPeer(operation.name) }));
}

function branchedOperations(
  sql: Sql,
  { session: id, messages }: { session: string; messages: number },
): Operation[] {
  const session = new PostgresSessionStore(sql, benchOwner).messages(id);
  const next = nextMessage(randomNumbers(messages + 2));
  const where = `, regenerated every ${regenerateEvery}`;
  return [
    {
      name: `append${where}`,
      messages,
      prepare: next.make,
      run: () => session.appendMessage(next.message()),
    },
    {
      name: `window of 50 with sibling counts${where}`,
      messages,
      run: () => session.getWindow({ limit: 50 }),
    },
  ];
}

async function listOperations(sql: Sql, timed: Sql): Promise<Operation[]> {
  const messages = 1_000;
  const random = randomNumbers(messages + 3);
  const make = (count: number) => Array.from({ length: count }, (_, n) => sampleMessage(random, n));
  const list = make(messages);
  const store = new PostgresSessionStore(timed, benchOwner);
  const session = async (name: string) => {
    const { id } = await store.sessions.create(name);
    await new PostgresSessionStore(sql, benchOwner).messages(id).appendMessages(list);
    return store.messages(id);
  };
  const [known, growing, chained] = await Promise.all(["Known", "Growing", "Chained"].map(session));
  const growingList = [...list];
  let chain: SessionMessage[] = [];
  return [
    { name: "follow, all known", messages, run: async () => known?.follow(list) },
    {
      name: "follow, one new",
      messages,
      every: 2,
      prepare: () => growingList.push(...make(1)),
      run: async () => growing?.follow(growingList),
    },
    {
      name: "append of 200 in one call",
      messages,
      every: 5,
      prepare: () => {
        chain = make(200);
      },
      run: async () => chained?.appendMessages(chain),
    },
  ];
}

function nextMessage(random: () => number): { make: () => void; message: () => SessionMessage } {
  let message = sampleMessage(random, 0);
  return {
    make: () => {
      message = sampleMessage(random, 0);
    },
    message: () => message,
  };
}

async function plainWindow(sql: Sql, session: string): Promise<unknown> {
  const rows = await window(sql, {
    owner: benchOwner,
    session,
    leaf: null,
    after: -1,
    before: 2_147_483_647,
    limit: 50,
    overlays: true,
    beside: 0,
  });
  return rows.map(messageFromLine);
}

const leaves = new Map<string, string>();

/** Averages 1,000 forks. The log would also count whole pages first written since a checkpoint. */
async function bytesOfFork(sql: Sql, session: string): Promise<number> {
  const forks = 1_000;
  const store = new PostgresSessionStore(sql, benchOwner);
  const before = await bytesOnDisk(sql);
  for (let n = 0; n < forks; n++) await fork(store, session);
  return ((await bytesOnDisk(sql)) - before) / forks;
}

async function bytesOnDisk(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`
    select sum(pg_total_relation_size(oid)) as bytes
    from pg_class where relkind = 'r' and relname like 'chat\\_%'`;
  return Number(row.bytes);
}

async function fork(store: PostgresSessionStore, session: string): Promise<void> {
  const leaf = leaves.get(session) ?? (await store.messages(session).getLatestLeaf())?.id;
  if (leaf === undefined) throw new Error("The session has no messages.");
  leaves.set(session, leaf);
  await store.sessions.fork(session, leaf, "Fork");
}

const writers = 64;
const messagesEach = 20;
const chainLength = 8;

async function measureWriters(sql: Sql) {
  const store = new PostgresSessionStore(sql, benchOwner);
  const { id } = await store.sessions.create("Writers");
  const session = store.messages(id);
  const random = randomNumbers(7);
  const body = sampleText(random, 600);
  const insertsPerSecond = await rate(() => sql`insert into bench_floor (body) values (${body})`);
  const messages = Array.from({ length: writers * messagesEach }, () => sampleMessage(random, 0));
  const appendsPerSecond = await rate((n) => session.appendMessage(messages[n] as SessionMessage));
  const stored = await session.getPathLength();
  const chains = await measureChains(sql);
  return { appendsPerSecond, insertsPerSecond, lost: writers * messagesEach - stored, chains };
}

async function measureChains(sql: Sql) {
  const store = new PostgresSessionStore(sql, benchOwner);
  const { id } = await store.sessions.create("Chains");
  const random = randomNumbers(8);
  const chains = Array.from({ length: writers }, () =>
    Array.from({ length: chainLength }, (_, n) => sampleMessage(random, n)),
  );
  await Promise.all(chains.map((chain) => store.messages(id).appendMessages(chain)));
  const path = (await store.messages(id).getHistory()).map((message) => message.id);
  const stored = await store.messages(id).getTree();
  const isWhole = (chain: readonly SessionMessage[]) => {
    const start = path.indexOf(chain[0]?.id ?? "");
    return chain.every((message, index) => path[start + index] === message.id);
  };
  return {
    lost: writers * chainLength - stored.length,
    split: chains.filter((chain) => !isWhole(chain)).length,
  };
}

async function rate(write: (n: number) => PromiseLike<unknown>): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < messagesEach; n++) await write(writer * messagesEach + n);
    }),
  );
  return (writers * messagesEach * 1_000) / (performance.now() - startedAt);
}

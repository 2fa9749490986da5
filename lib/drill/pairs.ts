import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "postgres";
import { z } from "zod";
import { Random } from "@/lib/bench/random";
import { connect, PostgresSessionStore } from "@/lib/postgres";
import { withSite } from "./app-servers";
import { brokenInvariants } from "./broken-invariants";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { type PairPlace, type PairWrite, pairLine, pairWritesAt } from "./pair-writes";
import { filled } from "./route-matrix";

/** One of two processes answers; `null` without a complete reply. */
export type SendPaired = (
  write: PairWrite & { readonly path: string; readonly params: Record<string, string | string[]> },
  process: 0 | 1,
) => Promise<{ readonly status: number; readonly body: unknown } | null>;

interface World {
  readonly sql: Sql;
  readonly ownerId: string;
  readonly send: SendPaired;
}

type Chat = "first" | "second" | "third";

/** A chat, a fork of it, and a fork of that, written by the first request and by the second. */
const relations: readonly (readonly [Chat, Chat])[] = [
  ["first", "first"],
  ["first", "second"],
  ["second", "first"],
  ["first", "third"],
  ["third", "first"],
  ["second", "third"],
];
const settledWithinMs = 60_000;
const mostProblems = 30;
const keySchema = z.object({ secret: z.string() });

const placeless = { chat: "", name: "", deletionId: "", compactionId: "", blockId: "" };
const count = pairWritesAt(placeless).length;
/** Each two writes of each relation. Of one chat in one order, which is the same as the other. */
const all = relations.flatMap((chats) =>
  Array.from({ length: count }, (_, first) => first).flatMap((first) =>
    Array.from({ length: count }, (_, second) => second)
      .filter((second) => chats[0] !== chats[1] || second >= first)
      .map((second) => ({ chats, first, second })),
  ),
);

export const pairs: Drill = {
  name: "pairs",
  promise: "Two requests at once, about a chat or its forks, both do what they acknowledge.",
  unit: "pairs",
  fullCount: all.length,
  run: (options) =>
    withSite(options, async (site) => {
      const servers = [await site.server(), await site.server()];
      await site.modelRef();
      const keyRequest = {
        ...{ name: "Pairs", canWrite: true, usesMemory: false, models: null, monthlyLimit: null },
      };
      const address = servers[0]?.address ?? "";
      const made = await fetch(`${address}/api/keys`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(keyRequest),
      });
      const { secret } = keySchema.parse(await made.json());
      const sql = connect(site.database().url, { deadlineMs: null });
      const send: SendPaired = async (write, process) => {
        const answered = await fetch(`${servers[process]?.address}${write.path}`, {
          ...requestOf(write, { authorization: `Bearer ${secret}` }),
          signal: AbortSignal.timeout(settledWithinMs),
        }).catch(() => null);
        return (
          answered && { status: answered.status, body: await answered.json().catch(() => null) }
        );
      };
      try {
        return await runPairs(options, { sql, ownerId: "local", send });
      } finally {
        await sql.end({ timeout: 1 });
      }
    }),
};

export function requestOf(write: PairWrite, headers: Record<string, string>): RequestInit {
  const isLines = write.lines !== undefined;
  return {
    method: write.route.split(" ")[0] ?? "",
    headers: {
      // A person's routes take no key.
      ...(write.route.includes(" /v1/") && headers),
      "Content-Type": isLines ? "application/x-ndjson" : "application/json",
    },
    ...(isLines && { body: write.lines }),
    ...(write.body !== undefined && { body: JSON.stringify(write.body) }),
  };
}

export async function runPairs(
  { count: wanted, seed, signal, say }: DrillOptions,
  world: World,
): Promise<DrillResult> {
  const random = new Random(seed);
  const chosen = all
    .map((pair) => ({ pair, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, wanted);
  const broken: string[] = [];
  const figures = { pairs: 0, acknowledged: 0, refused: 0 };
  for (const { pair } of chosen) {
    if (signal.aborted || broken.length >= mostProblems) break;
    const { problems, statuses } = await runPair(world, pair, figures.pairs);
    broken.push(...problems);
    figures.pairs++;
    figures.acknowledged += statuses.filter((status) => status < 300).length;
    figures.refused += statuses.filter((status) => status >= 400).length;
    if (figures.pairs % 200 === 0) say(`${figures.pairs} pairs.`);
  }
  return { broken, figures };
}

type Pair = (typeof all)[number];

interface Told {
  readonly problems: string[];
  readonly statuses: number[];
}

async function runPair(world: World, pair: Pair, n: number): Promise<Told> {
  const store = new PostgresSessionStore(world.sql, world.ownerId);
  const chats = await makeChats(store, `p${n}`);
  const both = [pair.first, pair.second].flatMap((index, at) => {
    const place = chats.get(pair.chats[at] ?? "first");
    return place ? (pairWritesAt({ ...place, name: `n${n}-${at}` })[index] ?? []) : [];
  });
  const replies = await Promise.all(
    both.map((write, at) => {
      const [, pattern = ""] = write.route.split(" ");
      const { path, params } = filled(pattern, write.ids);
      const query = write.query === undefined ? "" : `?${write.query}`;
      return world.send({ ...write, path: `${path}${query}`, params }, at === 0 ? 0 : 1);
    }),
  );
  const problems: string[] = [];
  await settled(world);
  const told = both.map(({ route, ids }) => `${route} of ${ids.sessionId}`).join(" with ");
  for (const [at, reply] of replies.entries())
    if (!reply || reply.status >= 500)
      problems.push(`${both[at]?.route} answered ${reply?.status}: ${JSON.stringify(reply?.body)}`);
  const done = both.filter((_, at) => (replies[at]?.status ?? 500) < 300);
  for (const { chat } of chats.values())
    problems.push(...(await lacks(store, chat, { both, done })));
  for (const write of done)
    if (write.forks) problems.push(...(await lacks(store, write.forks, { both, done: [] }, write)));
  problems.push(...(await brokenInvariants(world.sql, world.ownerId)));
  const { sessions } = await store.sessions.list();
  for (const { id } of sessions) await store.sessions.delete(id, { permanently: true });
  for (const { chat } of chats.values()) await store.sessions.delete(chat, { permanently: true });
  return {
    problems: problems.map((problem) => `${told}: ${problem}`),
    statuses: replies.map((reply) => reply?.status ?? 500),
  };
}

/** With a summary, a block, and a message that was deleted before. */
async function makeChats(store: PostgresSessionStore, name: string): Promise<Map<Chat, PairPlace>> {
  const ids = { first: `${name}-first`, second: `${name}-second`, third: `${name}-third` };
  await store.sessions.create(name, { id: ids.first });
  const messages = store.messages(ids.first);
  for (const id of [...pairLine.slice(0, 3), "gone", ...pairLine.slice(3)])
    await messages.appendMessage({
      id,
      role: Number(id.slice(1)) % 2 === 0 ? "assistant" : "user",
      parts: [{ type: "text", text: id }],
    });
  await messages.appendMessage({ id: "side", role: "assistant", parts: [] }, "m1");
  await messages.setActiveLeaf("m6");
  await messages.deleteMessages(["gone"], { deletionId: `gone-${name}` });
  const { id: compactionId } = await messages.addCompaction("Summary", "m1", "m2");
  const block = await store.blocks.create({
    ...{ sessionId: ids.first, label: "notes", description: "", kind: "writable" as const },
    ...{ scope: "session" as const, writers: "both" as const, maxTokens: 1_000 },
  });
  await store.sessions.fork(ids.first, "m6", name, { id: ids.second, withSideBranches: true });
  await store.sessions.fork(ids.second, "m6", name, { id: ids.third });
  const place = (chat: Chat): [Chat, PairPlace] => [
    chat,
    { chat: ids[chat], name, deletionId: `gone-${name}`, compactionId, blockId: block.id },
  ];
  return new Map([place("first"), place("second"), place("third")]);
}

/** @returns a sentence for each message that the chat should hold and does not. */
async function lacks(
  store: PostgresSessionStore,
  chat: string,
  { both, done }: { both: readonly PairWrite[]; done: readonly PairWrite[] },
  fork?: PairWrite,
): Promise<string[]> {
  // A deletion in the source may come before the fork.
  const source = fork?.ids.sessionId ?? chat;
  const removed = both.filter(({ ids }) => ids.sessionId === source).map(({ removes }) => removes);
  if (removed.includes("everything")) return [];
  if (!(await store.sessions.get(chat))) return [`${chat} is gone.`];
  const line = fork ? pairLine.slice(0, 5) : pairLine;
  const added = done.flatMap(({ ids, adds }) => (ids.sessionId === chat && adds ? [adds] : []));
  const mayLack = new Set(removed.flatMap((ids) => (Array.isArray(ids) ? ids : [])));
  const found = new Set((await store.messages(chat).getTree()).map(({ id }) => id));
  return [...line, ...added]
    .filter((id) => !found.has(id) && !mayLack.has(id))
    .map((id) => `${chat} lacks ${id}.`);
}

/** Answers and summaries have ended. */
async function settled({ sql, ownerId }: World): Promise<void> {
  const giveUpAt = performance.now() + settledWithinMs;
  while (performance.now() < giveUpAt) {
    const running = await sql`
      select from chat_run where owner_id = ${ownerId} and status = 'running' limit 1`;
    if (running.length === 0) return;
    await pause(10);
  }
  throw new Error("An answer never ended.");
}

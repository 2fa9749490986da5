import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { connect, PostgresSessionStore } from "grove-session/postgres";
import { z } from "zod";
import { filled } from "@/app/api/testing/route-matrix";
import { brokenInvariants } from "@/lib/postgres/testing/broken-invariants";
import { Random } from "@/lib/text/testing/random";
import { withSite } from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import {
  endQuestions,
  makeNeeded,
  makePairChats,
  type PairChat,
  removePairChats,
} from "./pair-chats";
import { untrueAfter } from "./pair-checks";
import { type PairPlace, type PairWrite, pairWritesAt } from "./pair-writes";

/** One of two processes answers; `null` without a complete reply. */
export type SendPaired = (
  write: Pick<PairWrite, "route" | "body" | "lines"> & {
    readonly path: string;
    readonly params: Record<string, string | string[]>;
  },
  process: 0 | 1,
) => Promise<{ readonly status: number; readonly body: unknown } | null>;

interface World {
  readonly sql: Sql;
  readonly ownerId: string;
  readonly model: string;
  readonly send: SendPaired;
}

const relations: readonly (readonly [PairChat, PairChat])[] = [
  ["first", "first"],
  ["first", "second"],
  ["second", "first"],
  ["first", "third"],
  ["third", "first"],
  ["second", "third"],
];
const settledWithinMs = 60_000;
const mostProblems = 30;
/** Trials between two looks at the rows of the whole owner. */
const perBatch = 48;
const madeAtOnce = 8;
const sentAtOnce = 6;
const keySchema = z.object({ secret: z.string() });

type Trial = readonly { readonly chat: PairChat; readonly write: number }[];

const nowhere: PairPlace = {
  ...{ chat: "", name: "", deletionId: "", compactionId: "", notesId: "", factsId: "", model: "" },
};
const numbers = pairWritesAt(nowhere).map((_, number) => number);
/** Each write alone, in a fork, where it has all it needs. */
const alone = numbers.map((write): Trial => [{ chat: "second", write }]);
/** Each two writes of each relation. Both orders of one chat are the same. */
const all = relations.flatMap(([one, other]) =>
  numbers.flatMap((first) =>
    numbers
      .filter((second) => one !== other || second >= first)
      .map(
        (second): Trial => [
          { chat: one, write: first },
          { chat: other, write: second },
        ],
      ),
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
      const addresses = servers.map(({ address }) => address);
      site.model.pace = { words: 3, pauseMs: 2 };
      const model = await site.modelRef();
      const sql = connect(site.database().url, { deadlineMs: null });
      try {
        const send = await overHttp(addresses);
        return await runPairs(options, { sql, ownerId: "local", model, send });
      } finally {
        await sql.end({ timeout: 1 });
      }
    }),
};

async function overHttp(addresses: readonly string[]): Promise<SendPaired> {
  const made = await fetch(`${addresses[0]}/api/keys`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ name: "Pairs", canWrite: true, usesMemory: false, models: null, monthlyLimit: null },
    }),
  });
  const { secret } = keySchema.parse(await made.json());
  return async (write, process) => {
    const answered = await fetch(`${addresses[process]}${write.path}`, {
      ...requestOf(write, { authorization: `Bearer ${secret}` }),
      signal: AbortSignal.timeout(settledWithinMs),
    }).catch(() => null);
    return answered && { status: answered.status, body: await answered.json().catch(() => null) };
  };
}

export function requestOf(
  write: Pick<PairWrite, "route" | "body" | "lines">,
  headers: Record<string, string>,
): RequestInit {
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

/** After each write alone, which must be acknowledged: a refused one would test nothing. */
export async function runPairs(
  { count: wanted, seed, signal, say }: DrillOptions,
  world: World,
): Promise<DrillResult> {
  const random = new Random(seed);
  const chosen = all
    .map((trial) => ({ trial, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, wanted)
    .map(({ trial }) => trial);
  const broken: string[] = [];
  const figures = { pairs: 0, acknowledged: 0, refused: 0 };
  await makeSkill(world);
  for (const trials of [...batchesOf(alone), ...batchesOf(chosen)]) {
    if (signal.aborted || broken.length >= mostProblems) break;
    const { problems, statuses } = await runBatch(world, trials);
    broken.push(...problems);
    if (trials.some((trial) => trial.length === 1)) continue;
    figures.pairs += trials.length;
    figures.acknowledged += statuses.filter((status) => status < 300).length;
    figures.refused += statuses.filter((status) => status >= 400).length;
    say(`${figures.pairs} pairs, ${broken.length} problems.`);
  }
  return { broken, figures };
}

async function makeSkill({ send }: World): Promise<void> {
  const route = "PUT /api/blocks/:blockId/entries/:key";
  const body = { title: "Tea", description: "Of tea", content: "Green" };
  const place = filled("/api/blocks/:blockId/entries/:key", { blockId: "skills", key: "tea" });
  const reply = await send({ route, body, ...place }, 0);
  if (reply?.status !== 200) throw new Error(`No skill was made: ${JSON.stringify(reply)}`);
}

function* batchesOf(trials: readonly Trial[]): Generator<readonly Trial[]> {
  for (let at = 0; at < trials.length; at += perBatch) yield trials.slice(at, at + perBatch);
}

interface Told {
  readonly problems: string[];
  readonly statuses: number[];
}

interface Prepared {
  readonly places: readonly PairPlace[];
  readonly writes: readonly PairWrite[];
}

async function runBatch(world: World, trials: readonly Trial[]): Promise<Told> {
  const { sql, ownerId } = world;
  const store = new PostgresSessionStore(sql, ownerId);
  const prepared = await eachOf(trials, madeAtOnce, (trial, n) => prepare(world, trial, n));
  const replies = await eachOf(prepared, sentAtOnce, ({ writes }) => sendTogether(world, writes));
  await settled({ sql, store });
  const told = await eachOf(prepared, madeAtOnce, async ({ places, writes }, n) => {
    const statuses = (replies[n] ?? []).map((reply) => reply?.status ?? 599);
    const done = writes.filter((_, at) => (statuses[at] ?? 599) < 300);
    const untrue = await untrueAfter(store, { places, sent: writes, done });
    const refused = (replies[n] ?? []).flatMap((reply, at) => {
      const mayBeRefused = writes.length > 1 || writes[at]?.undoes === true;
      const isMeant = (reply?.status ?? 599) < (mayBeRefused ? 500 : 400);
      return isMeant ? [] : [`${writes[at]?.route} answered ${JSON.stringify(reply)}.`];
    });
    return {
      statuses,
      problems: [...refused, ...untrue].map((line) => `${named(writes)}: ${line}`),
    };
  });
  const contradictions = (await brokenInvariants(sql, ownerId)).map((line) => {
    const number = Number(/[pn](\d+)-/.exec(line)?.[1] ?? Number.NaN);
    return `${named(prepared[number]?.writes ?? [])}: ${line}`;
  });
  await removePairChats({ sql, store });
  return {
    problems: [...told.flatMap(({ problems }) => problems), ...contradictions],
    statuses: told.flatMap(({ statuses }) => statuses),
  };
}

function named(writes: readonly PairWrite[]): string {
  return writes
    .map(({ route, ids, query, body }) => {
      const given = [query, JSON.stringify(body)].filter(Boolean).join(" ").slice(0, 80);
      return `${route} of ${ids.sessionId} (${given})`;
    })
    .join(" with ");
}

async function prepare(
  { sql, ownerId, model }: World,
  trial: Trial,
  number: number,
): Promise<Prepared> {
  const store = new PostgresSessionStore(sql, ownerId);
  const chats = { sql, store, name: `p${number}`, model };
  const places = await makePairChats(chats);
  const writes: PairWrite[] = [];
  for (const [at, { chat, write }] of trial.entries()) {
    const place = places.get(chat);
    const made = place && pairWritesAt({ ...place, name: `n${number}-${at}` })[write];
    if (!made) throw new Error(`There is no write ${write} of ${chat}.`);
    if (made.needs) await makeNeeded(chats, made.needs, place);
    writes.push(made);
  }
  return { places: [...places.values()], writes };
}

function sendTogether({ send }: World, writes: readonly PairWrite[]) {
  return Promise.all(
    writes.map((write, at) => {
      const [, pattern = ""] = write.route.split(" ");
      const { path, params } = filled(pattern, write.ids);
      const query = write.query === undefined ? "" : `?${write.query}`;
      return send({ ...write, path: `${path}${query}`, params }, at === 0 ? 0 : 1);
    }),
  );
}

async function eachOf<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item, number: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const work = async () => {
    for (const [number, item] of waiting) results[number] = await act(item, number);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

async function settled(place: { sql: Sql; store: PostgresSessionStore }): Promise<void> {
  const { sql, store } = place;
  await endQuestions(place);
  const giveUpAt = performance.now() + settledWithinMs;
  while (performance.now() < giveUpAt) {
    const running = await sql`
      select from chat_run where owner_id = ${store.ownerId} and status = 'running' limit 1`;
    if (running.length === 0) return;
    await pause(10);
  }
  throw new Error("An answer never ended.");
}

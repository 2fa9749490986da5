import type { Sql } from "postgres";
import { PostgresSessionStore } from "@/lib/postgres";
import { percentile } from "./interleave";
import { randomNumbers, wordOf } from "./sample-text";
import {
  chineseWord,
  corpusOwners,
  growCorpus,
  ownerName,
  prepareCorpus,
  stillOwners,
} from "./seed-corpus";

export interface SearchTiming {
  /** Messages of all owners together. */
  messages: number;
  /** A kind of query, "all", or "all, by owners who write no more". */
  kind: string;
  p50: number;
  p95: number;
}

const roundsPerKind = 150;
export const stillKind = "all, by owners who write no more";

/** Words by rank: a quarter of the messages have the most frequent ones, one in thousands the rarest. */
const common = (random: () => number) => wordOf(1 + Math.floor(random() * 10));
const usual = (random: () => number) => wordOf(50 + Math.floor(random() * 400));
const rare = (random: () => number) => wordOf(4_000 + Math.floor(random() * 1_000));

// A space at the end says that the last word is finished.
const kinds: Readonly<Record<string, (random: () => number) => string>> = {
  "rare word": (random) => `${rare(random)} `,
  "usual word": (random) => `${usual(random)} `,
  "common word": (random) => `${common(random)} `,
  "two words": (random) => `${usual(random)} ${common(random)} `,
  phrase: (random) => `"${common(random)} ${common(random)}"`,
  exclusion: (random) => `${usual(random)} -${common(random)} `,
  Chinese: (random) => `${chineseWord(random)} `,
  "prefix, as you type": (random) => usual(random).slice(0, 3),
};

/** Times searches over all sessions of an owner, for each total of messages; owners and kinds take turns. */
export async function measureSearch(
  { sql, timed }: { sql: Sql; timed: Sql },
  {
    totals,
    signal,
    say,
  }: { totals: readonly number[]; signal: AbortSignal; say: (line: string) => void },
): Promise<SearchTiming[]> {
  say("Writing the texts of a large corpus.");
  await prepareCorpus(sql, signal);
  const timings: SearchTiming[] = [];
  for (const messages of totals) {
    say(`Growing it to ${messages.toLocaleString("en")} messages of ${corpusOwners} owners.`);
    await growCorpus(sql, { total: messages, signal });
    const growing = { from: stillOwners, to: corpusOwners };
    const samples = await timeKinds(timed, { messages, owners: growing, signal });
    for (const [kind, times] of samples) timings.push(timing(messages, kind, times));
    timings.push(timing(messages, "all", [...samples.values()].flat()));
    const still = await timeKinds(timed, {
      messages,
      owners: { from: 0, to: stillOwners },
      signal,
    });
    timings.push(timing(messages, stillKind, [...still.values()].flat()));
  }
  return timings;
}

async function timeKinds(
  sql: Sql,
  {
    messages,
    owners,
    signal,
  }: { messages: number; owners: { from: number; to: number }; signal: AbortSignal },
): Promise<Map<string, number[]>> {
  const random = randomNumbers(messages);
  const samples = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < roundsPerKind; round++) {
    for (const [kind, query] of Object.entries(kinds)) {
      signal.throwIfAborted();
      const owner = ownerName(owners.from + Math.floor(random() * (owners.to - owners.from)));
      const { sessions } = new PostgresSessionStore(sql, owner);
      const input = query(random);
      // Once to have the owner's pages in memory, as when one searches again and again while typing.
      await sessions.search(input, { limit: 20 });
      const startedAt = performance.now();
      await sessions.search(input, { limit: 20 });
      samples.get(kind)?.push(performance.now() - startedAt);
    }
  }
  return samples;
}

function timing(messages: number, kind: string, times: readonly number[]): SearchTiming {
  return { messages, kind, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

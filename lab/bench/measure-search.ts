import type { Sql } from "grove-session/postgres";
import { PostgresSessionStore } from "grove-session/postgres";
import { toTsvector } from "@/lib/session/internal";
import { randomNumbers } from "@/lib/text/testing/random";
import { type Operation, percentile } from "./interleave";
import { copyToPeer, nameOfPeer, PeerStore } from "./peer-store";
import { sampleMessage, sampleText, wordOf } from "./seed";

export interface SearchTiming {
  messages: number;
  kind: string;
  p50: number;
  p95: number;
}

const roundsPerKind = 150;
export const chatSearch = "search in a chat of 1,000";
export const stillKind = "all, by owners who write no more";

/** A quarter of the messages have the most frequent, one in thousands the rarest. */
const common = (random: () => number) => wordOf(1 + Math.floor(random() * 10));
const usual = (random: () => number) => wordOf(50 + Math.floor(random() * 400));
const rare = (random: () => number) => wordOf(4_000 + Math.floor(random() * 1_000));

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

const chatMessages = 1_000;

/** Operations on one chat of 1,000 messages, by all messages of its owner. The chat is neither the oldest nor the newest. */
export async function searchInChat(
  { sql, timed }: { sql: Sql; timed: Sql },
  { owned, signal }: { owned: readonly number[]; signal: AbortSignal },
): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const messages of owned) {
    const owner = `searcher${messages}`;
    const random = randomNumbers(messages);
    const chats = messages / chatMessages;
    for (let chat = 0; chat < chats; chat++) {
      signal.throwIfAborted();
      const all = Array.from({ length: chatMessages }, (_, n) => sampleMessage(random, n));
      const store = new PostgresSessionStore(sql, owner);
      const { id } = await store.sessions.create("Chat", { id: `chat${chat}` });
      await store.messages(id).appendMessages(all);
      await copyToPeer(sql, `${owner}/${id}`, all);
    }
    const id = `chat${Math.floor(chats / 2)}`;
    const session = new PostgresSessionStore(timed, owner).messages(id);
    const peer = new PeerStore(timed, `${owner}/${id}`);
    for (const [kind, word] of Object.entries({ rare, usual, common })) {
      const name = `${chatSearch}, ${kind} word`;
      operations.push(
        { name, messages, run: () => session.searchMessages(`${word(random)} `) },
        { name: nameOfPeer(name), messages, run: () => peer.searchMessages(word(random)) },
      );
    }
  }
  return operations;
}

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
      // Warms the cache, as repeated searches while typing do.
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

const corpusOwners = 1_000;
/** These write no more, so only other people's messages grow. */
const stillOwners = 20;
const sessionsPerOwner = 10;
const distinctTexts = 20_000;
const textBytes = 240;
const chineseEvery = 20;
const characters = [..."春天花園水茶書山風雨夜月明星海石路門家人心手日光白雲青草木火土金"];

const ownerName = (n: number) => `owner${n}`;

function chineseWord(random: () => number): string {
  const first = Math.floor(random() * (characters.length - 1));
  return `${characters[first]}${characters[first + 1]}`;
}

async function prepareCorpus(sql: Sql, signal: AbortSignal): Promise<void> {
  await sql`create table bench_text (n integer primary key, content text not null, tsv tsvector not null)`;
  const random = randomNumbers(5);
  for (let from = 0; from < distinctTexts; from += 1_000) {
    signal.throwIfAborted();
    const rows = Array.from({ length: 1_000 }, (_, index) => textRow(random, from + index));
    await sql`
      insert into bench_text (n, content, tsv)
      select n, content, tsv
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as text (n integer, content text, tsv tsvector)`;
  }
  await sql`
    insert into chat_session (owner_id, session_id, title)
    select 'owner' || owner, 's' || session, 'Session ' || session
    from generate_series(0, ${corpusOwners - 1}) owner, generate_series(0, ${sessionsPerOwner - 1}) session`;
  await sql`
    insert into chat_branch (owner_id, session_id, base, head)
    select owner_id, session_id, 0, 0 from chat_session where owner_id like 'owner%'`;
  await sql`
    update chat_session session set active_branch = branch.branch_id
    from chat_branch branch
    where branch.owner_id = session.owner_id and branch.session_id = session.session_id and session.owner_id like 'owner%'`;
}

function textRow(random: () => number, n: number) {
  const chinese = n % chineseEvery === 0 ? chineseSentence(random) : "";
  const text = `${sampleText(random, textBytes)} ${chinese}`.trim();
  return {
    n,
    content: JSON.stringify({ parts: [{ type: "text", text }] }),
    tsv: toTsvector(text),
  };
}

function chineseSentence(random: () => number): string {
  return Array.from({ length: 6 }, () => chineseWord(random)).join("");
}

/**
 * Up to `total` messages, except for owners who write no more. Builds the word index afterwards, which is many times
 * faster.
 */
async function growCorpus(
  sql: Sql,
  { total, signal }: { total: number; signal: AbortSignal },
): Promise<void> {
  const length = total / corpusOwners / sessionsPerOwner;
  const still = Array.from({ length: stillOwners }, (_, n) => ownerName(n));
  await sql`drop index chat_search_words`;
  await sql`
    with grown as (
      update chat_branch branch set head = ${length}
      from chat_branch before
      where branch.owner_id = before.owner_id and branch.branch_id = before.branch_id and branch.owner_id like 'owner%'
        and not (before.head > 0 and branch.owner_id = any (${still}))
      returning branch.owner_id, branch.branch_id, branch.session_id, before.head as had
    ),
    added as materialized (
      select
        grown.owner_id, grown.branch_id, grown.session_id, pos,
        (hashint8(grown.branch_id * 7919 + pos) & 2147483647) % ${distinctTexts} as n
      from grown, generate_series(grown.had + 1, ${length}) pos
    ),
    message as (
      insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, preview, content)
      select owner_id, branch_id, pos, session_id, 'm' || pos, case when pos % 2 = 1 then 'user' else 'assistant' end, pos, '', content
      from added join bench_text using (n)
    )
    insert into chat_search (owner_id, branch_id, pos, session_id, role, tsv)
    select owner_id, branch_id, pos, session_id, case when pos % 2 = 1 then 'user' else 'assistant' end, tsv
    from added join bench_text using (n)
    order by pos, branch_id`;
  signal.throwIfAborted();
  await sql`create index chat_search_words on chat_search using gin (owner_id, tsv)`;
  signal.throwIfAborted();
  await sql`vacuum analyze chat_search, chat_message, chat_session, chat_branch`;
}

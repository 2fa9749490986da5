import { cpus, totalmem } from "node:os";
import type { Memory } from "@/lib/commands/testing/grove-process";
import { type AppFigures, type PageScripts, scriptBudgetBytes } from "./app-bench";
import type { ChatPageFigures } from "./chat-page-bench";
import { growthExponent, type Timing } from "./interleave";
import { chatSearch, type SearchTiming, stillKind } from "./measure-search";
import type { StreamingCost } from "./measure-streaming";
import type { PageFigures } from "./page-bench";
import { nameOfPeer } from "./peer-store";
import type { ReadingFigures } from "./reading-bench";
import type { StorageFigures } from "./storage-bench";
import type { WireFigures } from "./wires-bench";

export function machineLine(loads: readonly number[]): string {
  const [cpu] = cpus();
  const load = loads.map((value) => value.toFixed(1)).join(" before and ");
  return `${cpus().length} × ${cpu?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.versions.node}; load ${load} after.`;
}

/** Storage figures as Markdown tables: milliseconds, and ratios to the floor. */
export function storageReport(figures: StorageFigures): string {
  const { timings, writers, streaming } = figures;
  const [select, insert] = timings;
  if (!select || !insert) return "";
  const sizes = [...new Set(timings.flatMap(({ messages }) => messages ?? []))];
  const names = ownNames(timings);
  const { appendsPerSecond, insertsPerSecond, lost } = writers;
  return [
    table(
      ["floor", "p50 ms", "p95 ms"],
      [select, insert].map(({ name, p50, p95 }) => [name, ms(p50), ms(p95)]),
    ),
    table(
      ["p50 / p95 ms (× select 1, × insert)", ...sizes.map(count), "growth"],
      names.map((name) => {
        const row = timings.filter((timing) => timing.name === name && timing.messages !== null);
        const cells = sizes.map((size) => {
          const timing = row.find(({ messages }) => messages === size);
          return timing ? cell(timing, { select, insert }) : "";
        });
        return [name, ...cells, growthOf(row)];
      }),
    ),
    chatSearchTable(figures),
    peerTable(figures),
    `64 writers on one session: ${lost} messages lost, ${appendsPerSecond.toFixed(0)} appends a second against ${insertsPerSecond.toFixed(0)} plain inserts (${(appendsPerSecond / insertsPerSecond).toFixed(2)} ×).`,
    `Keeping an answer of 4 KB while it streams: ${cost(streaming.together)} four chunks a write, ${cost(streaming.alone)} each chunk alone, ${cost(streaming.rowUpdates)} by rewriting its row with indexed words, ${cost(streaming.plainUpdates)} by rewriting a row without.`,
    ...searchTable(figures.search),
    goalTable(storageGoals(figures)),
  ].join("\n\n");
}

function chatSearchTable({ chatSearches: searches }: StorageFigures): string {
  const owned = [...new Set(searches.flatMap(({ messages }) => messages ?? []))];
  const names = ownNames(searches);
  const cellOf = (name: string, messages: number) => {
    const timing = searches.find((each) => each.name === name && each.messages === messages);
    return timing ? `${ms(timing.p50)} / ${ms(timing.p95)}` : "";
  };
  return table(
    ["p50 / p95 ms, by messages of the owner", ...owned.map(count)],
    names.map((name) => [name, ...owned.map((messages) => cellOf(name, messages))]),
  );
}

function peerTable({ timings, chatSearches }: StorageFigures): string {
  const all = [...timings, ...chatSearches];
  const sizes = [...new Set(all.flatMap(({ messages }) => messages ?? []))].sort((a, b) => a - b);
  const at = (name: string, size: number) =>
    all.find((timing) => timing.name === name && timing.messages === size)?.p50;
  const rowOf = (name: string) =>
    sizes.map((size) => {
      const [peer, own] = [at(nameOfPeer(name), size), at(name, size)];
      return peer === undefined || own === undefined ? "" : `${ms(peer)} → ${ms(own)}`;
    });
  const compared = ownNames(all).filter((name) =>
    all.some((each) => each.name === nameOfPeer(name)),
  );
  return table(
    ["the peer's p50 → Grove's, ms, by messages", ...sizes.map(count)],
    compared.map((name) => [name, ...rowOf(name)]),
  );
}

function ownNames(timings: readonly Timing[]): string[] {
  const names = new Set(timings.flatMap(({ name, messages }) => (messages ? name : [])));
  for (const name of [...names]) names.delete(nameOfPeer(name));
  return [...names];
}

function searchTable(search: readonly SearchTiming[]): string[] {
  if (search.length === 0) return [];
  const totals = [...new Set(search.map(({ messages }) => messages))];
  const kinds = [...new Set(search.map(({ kind }) => kind))];
  const cellOf = (kind: string, total: number) => {
    const timing = search.find(({ kind: its, messages }) => its === kind && messages === total);
    return timing ? `${ms(timing.p50)} / ${ms(timing.p95)}` : "";
  };
  return [
    table(
      ["search, p50 / p95 ms, by messages of all owners", ...totals.map(count)],
      kinds.map((kind) => [kind, ...totals.map((total) => cellOf(kind, total))]),
    ),
  ];
}

export function appReport(figures: AppFigures): string {
  const { buildMs, firstStartMs, laterStartMs, pages, idleMemory, healthMs } = figures;
  return [
    table(
      ["start, until ready", "s"],
      [
        ["build, once for each version", buildMs === null ? "was there" : seconds(buildMs)],
        ["first start, empty folder", seconds(firstStartMs)],
        ["later start, median of 3", seconds(laterStartMs)],
      ],
    ),
    `A request that only asks the database for \`select 1\` takes ${ms(healthMs)} ms over HTTP.`,
    idleMemory ? memoryTable(idleMemory) : "Memory is measured on Linux only.",
    sizeReport(pages),
  ].join("\n\n");
}

export function sizeReport(pages: readonly PageScripts[]): string {
  const budget = kilobytes(scriptBudgetBytes);
  return table(
    ["first-load JavaScript", "files", "gzipped", "budget"],
    pages.map(({ path, files, gzippedBytes }) => [
      `\`${path}\``,
      String(files),
      kilobytes(gzippedBytes),
      `${budget}${gzippedBytes > scriptBudgetBytes ? ": exceeded" : ""}`,
    ]),
  );
}

function memoryTable({ app, launcher, postgres }: Memory): string {
  const row = (name: string, megabytes: number) => [name, megabytes.toFixed(0)];
  return table(
    ["memory of the idle server", "MB"],
    [
      row("server", app),
      row("launcher", launcher),
      row("Postgres, all processes", postgres),
      row("together", app + launcher + postgres),
    ],
  );
}

function cell(
  { p50, p95 }: Timing,
  { select, insert }: { select: Timing; insert: Timing },
): string {
  return `${ms(p50)} / ${ms(p95)} (${ratio(p50 / select.p50)}, ${ratio(p50 / insert.p50)})`;
}

function growthOf(row: readonly Timing[]): string {
  const exponent = growth(row);
  return Number.isNaN(exponent) ? "" : exponent.toFixed(2);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, n) => (n === 0 ? "---" : "---:"))), ...rows.map(line)].join(
    "\n",
  );
}

export function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

function ratio(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

function seconds(value: number): string {
  return (value / 1_000).toFixed(1);
}

function cost({ milliseconds, logBytes }: StreamingCost): string {
  return `${ms(milliseconds)} ms and ${kilobytes(logBytes)} of log`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KB`;
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

export function pageReport(figures: PageFigures): string {
  const { open, stream, palette, hard, messages, searchedMessages, slowdown } = figures;
  const long = `${messages.toLocaleString("en")} messages`;
  const rows: [string, string, string][] = [
    [`first message of ${long} painted`, wholeMs(open.firstMessageMs), "1,500"],
    [`largest paint of ${long}`, wholeMs(open.largestPaintMs), "1,500"],
    [`${long} ready to be acted on`, wholeMs(open.liveMs), ""],
    [`longest task opening ${long}`, task(open.longestTask), "200"],
    [`key press to paint in ${long}, p95`, wholeMs(figures.keysInLongSession), "50"],
    [`key press to paint while an answer streams, p95`, wholeMs(stream.keys), "50"],
    [`longest task in ${stream.seconds} s of streaming`, task(stream.longestTask), "100"],
    ["layout shift while streaming", stream.shift.toFixed(4), "0"],
    [
      `palette over ${searchedMessages.toLocaleString("en")} messages: key press to paint, p95`,
      wholeMs(palette.keys),
      "100",
    ],
    ["palette: answer of the server, p95", wholeMs(palette.answers), "100"],
    ...hard.map(({ name, longestTask, isWhole }): [string, string, string] => [
      `longest task showing ${name}${isWhole ? "" : " (**text missing**)"}`,
      task(longestTask),
      "200",
    ]),
    [
      "layout shift showing any of these",
      Math.max(0, ...hard.map(({ shift }) => shift)).toFixed(4),
      "0",
    ],
  ];
  return table([`the page at ${slowdown} × slower processor`, "ms", "goal"], rows);
}

export function chatPageReport(figures: ChatPageFigures): string {
  const { slowdown, chatMessages, firstWordMs, newChatStream, chat, long, heavyEnd } = figures;
  const slow = `${slowdown} × slower`;
  const usual = `a chat of ${chatMessages} messages`;
  const heavy = `a chat that ends in ${kilobytes(heavyEnd.bytes)}`;
  return table(
    ["the page of a chat", "", "goal"],
    [
      ["new chat: Enter → first word painted", wholeMs(firstWordMs.atFullSpeed), "150 ms"],
      [`new chat: Enter → first word painted, ${slow}`, wholeMs(firstWordMs.slowed), "400 ms"],
      [
        `new chat: longest task while streaming, ${slow}`,
        task(newChatStream.longestTask),
        "100 ms",
      ],
      ["new chat: layout shift from Enter on", newChatStream.shift.toFixed(4), "0"],
      [`${usual}: rendered by the server`, wholeMs(chat.renderMs), "25 ms"],
      [`${usual}: live, ${slow}`, wholeMs(chat.liveMs), "1,000 ms"],
      [`${usual}: JavaScript at rest, gzipped`, kilobytes(chat.gzippedBytes), "380 KB"],
      [`${usual}: requests until rest`, count(chat.requests), "35"],
      [`${count(long.length)} messages: live, ${slow}`, wholeMs(long.messagesMs), ""],
      [
        `${count(long.length)} calls in one answer: live, ${slow}`,
        wholeMs(long.callsOfOneAnswerMs),
        "as messages",
      ],
      [
        `${count(long.length)} calls in as many answers: live, ${slow}`,
        wholeMs(long.callsOfManyMs),
        "as messages",
      ],
      [`${heavy}: first message painted, ${slow}`, wholeMs(heavyEnd.firstMessageMs), "700 ms"],
      [`${heavy}: live, ${slow}`, wholeMs(heavyEnd.liveMs), "1,000 ms"],
      [`${heavy}: layout shift`, heavyEnd.shift.toFixed(4), "0"],
    ],
  );
}

export function readingReport({ slowdown, picker, hard, together }: ReadingFigures): string {
  const slow = `${slowdown} × slower`;
  const hardest = "3,000 rows, 300 formulas and 100 KB of `**a**`";
  return table(
    ["models and answers", "", "goal"],
    [
      [`${count(picker.models)} models: key press to paint, p95`, wholeMs(picker.keys), "50 ms"],
      [`${hardest}: longest task, ${slow}`, task(hard.longestTask), "200 ms"],
      [`${hardest}: layout shift`, hard.shift.toFixed(4), "0"],
      [
        `${together.answers} answers side by side: longest task, ${slow}`,
        task(together.longestTask),
        "100 ms",
      ],
    ],
  );
}

export function wiresReport(figures: readonly WireFigures[]): string {
  const both = (one: number, other: number, digits: number) =>
    `${one.toFixed(digits)} / ${other.toFixed(digits)}`;
  return table(
    ["the SDK's package / as Grove reads it", "first word, ms", "chunk p95, ms", "CPU a chunk, µs"],
    figures.map(({ protocol, alone, read }) => [
      protocol,
      both(alone.firstWord, read.firstWord, 2),
      both(alone.chunkP95, read.chunkP95, 3),
      both(alone.cpuPerChunk, read.cpuPerChunk, 1),
    ]),
  );
}

function wholeMs(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function task(value: number): string {
  return value === 0 ? "< 50" : wholeMs(value);
}

export interface GoalResult {
  goal: string;
  met: boolean;
  figure: string;
}

export function goalTable(results: readonly GoalResult[]): string {
  return table(
    ["goal", "", ""],
    results.map(({ goal, met, figure }) => [goal, met ? "met" : "**missed**", figure]),
  );
}

export function storageGoals(figures: StorageFigures): GoalResult[] {
  const { timings, writers, streaming } = figures;
  const p50 = (name: string) => timings.find((timing) => timing.name === name)?.p50 ?? Number.NaN;
  const [select, insert] = [p50("select 1"), p50("insert of 600 B with commit")];
  const rows = (name: string) =>
    timings.filter((timing) => timing.name === name && timing.messages !== null);
  const worst = (name: string, floor: number) =>
    Math.max(...rows(name).map((timing) => timing.p50 / floor));
  const at = (name: string, messages: number) =>
    rows(name).find((timing) => timing.messages === messages)?.p50 ?? Number.NaN;
  const besides = rows("window of 50 with sibling counts").map(
    (timing) => timing.p50 / at("window of 50", timing.messages ?? 0),
  );
  const timesPeer = (name: string) =>
    Math.max(
      ...rows(name).map(({ messages, p50: own }) => own / at(nameOfPeer(name), messages ?? 0)),
    );
  const spreadOf = (name: string) => {
    const last = rows(name).at(-1);
    return last ? last.p95 / last.p50 : Number.NaN;
  };
  const walked = at(nameOfPeer("tree, every message"), 10_000);
  const skeleton = walked / at("tree, its branches", 10_000);
  const nodes = walked / at("tree, every message", 10_000);
  const chained = at("append of 200 in one call", 1_000);
  const throughput = writers.appendsPerSecond / writers.insertsPerSecond;
  return [
    atMost("append: × insert", worst("append", insert), 2),
    atMost("append: growth", growth(rows("append")), 0.05),
    atMost("append of 200 in one call: × append", chained / at("append", 1_000), 3),
    atMost(
      "full history of the largest session: ms",
      at("full history", largestSize(timings)),
      200,
    ),
    atMost("`getMessage`: × the peer's", timesPeer("message"), 1),
    atMost("`getBranches`: × the peer's", timesPeer("its branches"), 1),
    atMost("tree, its branches, largest session: p95 × p50", spreadOf("tree, its branches"), 2),
    atMost("receipt of 10,000 messages: longest stretch in ms", figures.receiptStretch, 1),
    atMost("follow of 1,000 known messages: ms", at("follow, all known", 1_000), 20),
    atMost("window of 50: × `select 1`", worst("window of 50", select), 6),
    atMost("window of 50: growth", growth(rows("window of 50")), 0.05),
    atMost("window with sibling counts: × the window alone", Math.max(...besides), 1.5),
    atLeast("tree of 10,000, its branches: × faster than parent pointers", skeleton, 20),
    atLeast("tree of 10,000, every message: × faster than parent pointers", nodes, 1),
    ...Object.entries(chatSearchGoals).map(([kind, limit]) =>
      atMost(`${chatSearch}, ${kind} word: ms`, slowestSearch(figures, kind), limit),
    ),
    ...searchGoals(figures.search),
    atMost("fork: × insert", worst("fork", insert), 1.5),
    atMost("fork: bytes of rows and indexes", figures.forkBytes, 1_024),
    atMost("64 writers: messages lost", writers.lost, 0),
    atLeast("64 writers: × insert throughput", throughput, 0.3),
    atMost("64 writers of 8 messages at once: messages lost", writers.chains.lost, 0),
    atMost("64 writers of 8 messages at once: chains split", writers.chains.split, 0),
    ...streamingGoals("streamed answer", streaming.together, streaming.rowUpdates),
    ...streamingGoals("streamed answer, each chunk alone", streaming.alone, streaming.rowUpdates),
  ];
}

const chatSearchGoals = { rare: 3, usual: 5, common: 8 } as const;

function slowestSearch({ chatSearches }: StorageFigures, kind: string): number {
  const own = chatSearches.filter(({ name }) => name === `${chatSearch}, ${kind} word`);
  return Math.max(...own.map(({ p50 }) => p50));
}

function streamingGoals(
  goal: string,
  cost: StreamingCost,
  updates: StreamingCost,
): readonly GoalResult[] {
  return [
    atMost(`${goal}: time, × row updates`, cost.milliseconds / updates.milliseconds, 0.2),
    atMost(`${goal}: log, × row updates`, cost.logBytes / updates.logBytes, 0.15),
  ];
}

function searchGoals(search: readonly SearchTiming[]): GoalResult[] {
  const large = search.at(-1)?.messages;
  const of = (kind: string, messages: number | undefined) =>
    search.find((timing) => timing.kind === kind && timing.messages === messages);
  const [small] = search;
  const growthOf = (kind: string) =>
    (of(kind, large)?.p50 ?? Number.NaN) / (of(kind, small?.messages)?.p50 ?? Number.NaN);
  const all = of("all", large);
  if (!all) return [];
  return [
    atMost("search: p95 in ms", all.p95, 10),
    atMost("search: × from the smaller corpus", growthOf("all"), 1.1),
    atMost("search: × when only others write", growthOf(stillKind), 1.1),
    atMost("prefix search: p95 in ms", of("prefix, as you type", large)?.p95 ?? Number.NaN, 20),
  ];
}

function largestSize(timings: readonly Timing[]): number {
  return Math.max(...timings.map(({ messages }) => messages ?? 0));
}

function growth(row: readonly Timing[]): number {
  const [small, large] = [row[0], row.at(-1)];
  if (!small?.messages || !large?.messages || small === large) return Number.NaN;
  return growthExponent(
    { size: small.messages, time: small.p50 },
    { size: large.messages, time: large.p50 },
  );
}

export function atMost(goal: string, value: number, limit: number): GoalResult {
  return {
    goal: `${goal} ≤ ${limit.toLocaleString("en")}`,
    met: value <= limit,
    figure: figure(value),
  };
}

function atLeast(goal: string, value: number, limit: number): GoalResult {
  return { goal: `${goal} ≥ ${limit}`, met: value >= limit, figure: figure(value) };
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

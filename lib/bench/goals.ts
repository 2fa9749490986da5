import { growthExponent, type Timing } from "./interleave";
import { type SearchTiming, stillKind } from "./measure-search";
import type { StreamingCost, StreamingResult } from "./measure-streaming";
import type { WritersResult } from "./measure-writers";

/** What the storage promises, and what was measured. */
export interface GoalResult {
  goal: string;
  met: boolean;
  figure: string;
}

export interface StorageFigures {
  timings: readonly Timing[];
  writers: WritersResult;
  streaming: StreamingResult;
  /** Of small and of large corpora; empty when it was not measured. */
  search: readonly SearchTiming[];
  /** Bytes that one fork adds to tables and indexes. */
  forkBytes: number;
}

/** Compares the figures of one run with the goals, all as ratios within the run. */
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
  const skeleton = at("tree by parent pointers", 10_000) / at("tree, its branches", 10_000);
  const nodes = at("tree by parent pointers", 10_000) / at("tree, every message", 10_000);
  const throughput = writers.appendsPerSecond / writers.insertsPerSecond;
  return [
    atMost("append: × insert", worst("append", insert), 2),
    atMost("append: growth", growth(rows("append")), 0.05),
    atMost("window of 50: × `select 1`", worst("window of 50", select), 6),
    atMost("window of 50: growth", growth(rows("window of 50")), 0.05),
    atMost("window with sibling counts: × the window alone", Math.max(...besides), 1.5),
    atLeast("tree of 10,000, its branches: × faster than parent pointers", skeleton, 20),
    atLeast("tree of 10,000, every message: × faster than parent pointers", nodes, 1),
    ...searchGoals(figures.search),
    atMost("fork: × insert", worst("fork", insert), 1.5),
    atMost("fork: bytes of rows and indexes", figures.forkBytes, 1_024),
    atMost("64 writers: messages lost", writers.lost, 0),
    atLeast("64 writers: × insert throughput", throughput, 0.2),
    ...streamingGoals("streamed answer", streaming.together, streaming.rowUpdates),
    ...streamingGoals("streamed answer, each chunk alone", streaming.alone, streaming.rowUpdates),
  ];
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

/** The exponent between the smallest and the largest size. */
export function growth(row: readonly Timing[]): number {
  const [small, large] = [row[0], row.at(-1)];
  if (!small?.messages || !large?.messages || small === large) return Number.NaN;
  return growthExponent(
    { size: small.messages, time: small.p50 },
    { size: large.messages, time: large.p50 },
  );
}

function atMost(goal: string, value: number, limit: number): GoalResult {
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

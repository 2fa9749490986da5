import { expect, test } from "vitest";
import { stillKind } from "./measure-search";
import { storageGoals, storageReport } from "./report";
import type { StorageFigures } from "./storage-bench";

const timing = (name: string, messages: number | null, p50: number) => ({
  name,
  messages,
  p50,
  p95: p50,
});
const figures: StorageFigures = {
  timings: [
    timing("select 1", null, 0.1),
    timing("insert of 600 B with commit", null, 1),
    timing("append", 100, 1.5),
    timing("append", 1_000, 2),
    timing("append", 10_000, 2.5),
    timing("window of 50", 100, 0.5),
    timing("window of 50", 10_000, 0.5),
    timing("window of 50 with sibling counts", 100, 0.6),
    timing("window of 50 with sibling counts", 10_000, 0.6),
    timing("tree, every message of the peer", 10_000, 100),
    timing("tree, its branches", 10_000, 1),
    timing("tree, every message", 10_000, 50),
    timing("fork", 10_000, 1.4),
    timing("append of 200 in one call", 1_000, 5),
    timing("full history", 10_000, 30),
    timing("message", 100, 0.2),
    timing("message of the peer", 100, 0.25),
    timing("its branches", 100, 0.3),
    timing("its branches of the peer", 100, 0.25),
    timing("follow, all known", 1_000, 25),
  ],
  chatSearches: [
    timing("search in a chat of 1,000, rare word", 1_000, 2),
    timing("search in a chat of 1,000, rare word", 101_000, 2.5),
    timing("search in a chat of 1,000, usual word", 101_000, 5.5),
    timing("search in a chat of 1,000, common word", 101_000, 7),
  ],
  writers: {
    appendsPerSecond: 300,
    insertsPerSecond: 1_000,
    lost: 1,
    chains: { lost: 0, split: 2 },
  },
  streaming: {
    together: { milliseconds: 1, logBytes: 10 },
    alone: { milliseconds: 4, logBytes: 5 },
    rowUpdates: { milliseconds: 10, logBytes: 50 },
    plainUpdates: { milliseconds: 5, logBytes: 20 },
  },
  receiptStretch: 0.8,
  search: [],
  forkBytes: 900,
};

test("a goal is met by the worst size, as a ratio to the floor of the run", () => {
  const results = Object.fromEntries(
    storageGoals(figures).map(({ goal, met, figure }) => [goal, [met, figure]]),
  );
  expect(results).toEqual({
    "append: × insert ≤ 2": [false, "2.50"],
    "append: growth ≤ 0.05": [false, "0.11"],
    "append of 200 in one call: × append ≤ 3": [true, "2.50"],
    "full history of the largest session: ms ≤ 200": [true, "30.00"],
    "`getMessage`: × the peer's ≤ 1": [true, "0.80"],
    "`getBranches`: × the peer's ≤ 1": [false, "1.20"],
    "tree, its branches, largest session: p95 × p50 ≤ 2": [true, "1.00"],
    "receipt of 10,000 messages: longest stretch in ms ≤ 1": [true, "0.80"],
    "follow of 1,000 known messages: ms ≤ 20": [false, "25.00"],
    "window of 50: × `select 1` ≤ 6": [true, "5.00"],
    "window of 50: growth ≤ 0.05": [true, "0.00"],
    "window with sibling counts: × the window alone ≤ 1.5": [true, "1.20"],
    "tree of 10,000, its branches: × faster than parent pointers ≥ 20": [true, "100"],
    "tree of 10,000, every message: × faster than parent pointers ≥ 1": [true, "2.00"],
    "search in a chat of 1,000, rare word: ms ≤ 3": [true, "2.50"],
    "search in a chat of 1,000, usual word: ms ≤ 5": [false, "5.50"],
    "search in a chat of 1,000, common word: ms ≤ 8": [true, "7.00"],
    "fork: × insert ≤ 1.5": [true, "1.40"],
    "fork: bytes of rows and indexes ≤ 1,024": [true, "900"],
    "64 writers: messages lost ≤ 0": [false, "1.00"],
    "64 writers: × insert throughput ≥ 0.3": [true, "0.30"],
    "64 writers of 8 messages at once: messages lost ≤ 0": [true, "0.00"],
    "64 writers of 8 messages at once: chains split ≤ 0": [false, "2.00"],
    "streamed answer: time, × row updates ≤ 0.2": [true, "0.10"],
    "streamed answer: log, × row updates ≤ 0.15": [false, "0.20"],
    "streamed answer, each chunk alone: time, × row updates ≤ 0.2": [false, "0.40"],
    "streamed answer, each chunk alone: log, × row updates ≤ 0.15": [true, "0.10"],
  });
});

test("searches are compared between the smaller and the larger corpus", () => {
  const search = [
    { messages: 300_000, kind: "all", p50: 2, p95: 5 },
    { messages: 1_000_000, kind: "prefix, as you type", p50: 5, p95: 25 },
    { messages: 1_000_000, kind: "all", p50: 2.1, p95: 6 },
    { messages: 300_000, kind: stillKind, p50: 2, p95: 5 },
    { messages: 1_000_000, kind: stillKind, p50: 2.4, p95: 5 },
  ];
  const results = storageGoals({ ...figures, search }).filter(({ goal }) =>
    /^(prefix )?search:/.test(goal),
  );
  expect(results.map(({ met, figure }) => [met, figure])).toEqual([
    [true, "6.00"],
    [true, "1.05"],
    [false, "1.20"],
    [false, "25.00"],
  ]);
});

test("an operation that the peer has, too, stands beside the peer's", () => {
  expect(storageReport(figures)).toContain(
    [
      "| the peer's p50 → Grove's, ms, by messages | 100 | 1,000 | 10,000 | 101,000 |",
      "| --- | ---: | ---: | ---: | ---: |",
      "| tree, every message |  |  | 100 → 50.0 |  |",
      "| message | 0.25 → 0.20 |  |  |  |",
      "| its branches | 0.25 → 0.30 |  |  |  |",
    ].join("\n"),
  );
});

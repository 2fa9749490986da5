import { expect, test } from "vitest";
import { isLinearizable, type Operation } from "./linearizable";

const operation = (
  kind: Operation["kind"],
  value: string,
  [startedAt, endedAt]: [number, number],
) => ({ kind, value, startedAt, endedAt }) satisfies Operation;

test("A read returns the last value written before it", () => {
  const write = operation("write", "b", [0, 1]);
  expect(isLinearizable("a", [write, operation("read", "b", [2, 3])])).toBe(true);
  expect(isLinearizable("a", [write, operation("read", "a", [2, 3])])).toBe(false);
});

test("A read during a write may return either value, but never the old one after the new one", () => {
  const write = operation("write", "b", [0, 10]);
  const reads = (first: string, second: string) => [
    operation("read", first, [1, 2]),
    operation("read", second, [3, 4]),
  ];
  expect(isLinearizable("a", [write, ...reads("a", "b")])).toBe(true);
  expect(isLinearizable("a", [write, ...reads("a", "a")])).toBe(true);
  expect(isLinearizable("a", [write, ...reads("b", "a")])).toBe(false);
});

test("A write without a reply may have happened, at any time or never", () => {
  const lost = operation("write", "b", [0, Number.POSITIVE_INFINITY]);
  expect(isLinearizable("a", [lost, operation("read", "b", [50, 51])])).toBe(true);
  expect(isLinearizable("a", [lost, operation("read", "a", [50, 51])])).toBe(true);
});

test("Many writes without a reply are told apart in little time", () => {
  const lost = Array.from({ length: 30 }, (_, n) =>
    operation("write", n % 2 === 0 ? "b" : "c", [n, Number.POSITIVE_INFINITY]),
  );
  const reads = ["b", "c", "b", "c", "a"].map((value, n) =>
    operation("read", value, [100 + 2 * n, 101 + 2 * n]),
  );
  expect(isLinearizable("a", [...lost, ...reads.slice(0, -1)])).toBe(true);
  expect(isLinearizable("a", [...lost, ...reads])).toBe(false);
});

test("A read without a reply says nothing", () => {
  const lost = operation("read", "", [0, Number.POSITIVE_INFINITY]);
  expect(isLinearizable("a", [lost, operation("read", "a", [1, 2])])).toBe(true);
  expect(isLinearizable("a", [lost, operation("read", "", [1, 2])])).toBe(false);
});

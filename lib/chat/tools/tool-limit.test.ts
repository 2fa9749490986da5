import { expect, test } from "vitest";
import { toolPlan } from "./tool-limit";

const tools = (count: number, tokens: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `t${n}`, tokens, isSearchable: true }));
const limits = { contextWindow: 100_000, ownTools: 8, recent: [] };

test("sends all tools up to 128 and 15% of the context window", () => {
  expect(toolPlan(tools(120, 100), limits).later.size).toBe(0);
  expect(toolPlan(tools(121, 100), limits).later.size).toBe(121);
  expect(toolPlan(tools(30, 500), limits).later.size).toBe(0);
  expect(toolPlan(tools(30, 501), limits).later.size).toBe(30);
  expect(toolPlan(tools(31, 501), { ...limits, contextWindow: 200_000 }).later.size).toBe(0);
});

test("keeps the tools used last in half of the limits, and leaves the rest to the search", () => {
  const recent = Array.from({ length: 20 }, (_, n) => `t${40 - n}`);
  const { later, found } = toolPlan(tools(60, 600), { ...limits, recent });
  const kept = tools(60, 600).flatMap(({ name }) => (later.has(name) ? [] : [name]));
  expect(kept).toEqual(recent.slice(0, 12).toReversed());
  expect(found).toEqual({ tools: 59, tokens: 7_500 });
});

test("never leaves out a tool that cannot be searched", () => {
  const web = { name: "web_search", tokens: 90_000, isSearchable: false };
  expect([...toolPlan([web, ...tools(200, 1)], limits).later]).not.toContain("web_search");
});

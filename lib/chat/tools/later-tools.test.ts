import { expect, test } from "vitest";
import type { OwnerTool } from "@/lib/chat/core/tool-source";
import { LaterTools, namesCalled, namesFound } from "./later-tools";

function ownerTool(name: string, note: string, tokens = 100): OwnerTool {
  const origin = { kind: "mcp", name: name.split("__")[0] ?? "" } as const;
  const title = (name.split("__")[1] ?? name).replaceAll("_", " ");
  return { name, title, note, tokens, origin, defaultPolicy: "ask", make: () => null };
}

const all = [
  ownerTool("github__create_issue", "Opens a ticket in a repository."),
  ownerTool("github__list_issues", "Lists tickets of a repository."),
  ownerTool("github__merge_pull_request", "Merges a branch."),
  ownerTool("calendar__createEvent", "Adds a meeting to a calendar."),
  ownerTool("calendar__list_events", "Lists meetings."),
];

function later(bounds = { tools: 50, tokens: 5_000 }, found: readonly string[] = []) {
  return new LaterTools(all, { tools: {}, bounds, found });
}

test("finds tools by words of their names, titles, servers and descriptions", () => {
  const names = (query: string) =>
    later()
      .search(query)
      .map(({ name }) => name);
  expect(names("create an issue")[0]).toBe("github__create_issue");
  expect(names("creating events")[0]).toBe("calendar__createEvent");
  expect(names("meetings").toSorted()).toEqual(["calendar__createEvent", "calendar__list_events"]);
  expect(names("GitHub pull requests")[0]).toBe("github__merge_pull_request");
  expect(names("weather")).toEqual([]);
});

test("makes found tools callable, and drops those found first beyond the limits", () => {
  const tools = later({ tools: 50, tokens: 200 });
  expect(tools.found).toEqual([]);
  tools.search("merge pull request");
  expect(tools.found).toEqual(["github__merge_pull_request"]);
  tools.search("calendar");
  expect(tools.found).toEqual(["calendar__createEvent", "calendar__list_events"]);
});

test("gives the best tool even when it alone is beyond the limits", () => {
  expect(later({ tools: 50, tokens: 1 }).search("calendar")).toHaveLength(1);
});

test("goes on with what an earlier part of the answer found and what a chat called", () => {
  const call = (name: string, output: unknown) => ({
    type: `tool-${name}`,
    toolCallId: "c",
    output,
  });
  const found = (name: string) => call("find_tools", { found: [{ name }] });
  const parts = [found("github__list_issues"), call("b", 1), found("gone"), call("a", 2)];
  const answer = { id: "m", role: "assistant" as const, parts };
  expect(namesFound(answer)).toEqual(["gone", "github__list_issues"]);
  expect(namesCalled([answer, { ...answer, parts: [call("b", 1)] }])).toEqual([
    "b",
    "a",
    "find_tools",
  ]);
  expect(later(undefined, namesFound(answer)).found).toEqual(["github__list_issues"]);
});

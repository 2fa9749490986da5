import { describe, expect, it, test } from "vitest";
import type { PageCommandId } from "@/app/_data/page/page-commands";
import { isOfSession, matchingActions, type PalettePlace, titlesFirst } from "./palette-actions";

const nowhere: PalettePlace = { hasSession: false, hasKeyboard: true, offered: new Set() };
const offering = (...offered: PageCommandId[]): PalettePlace => ({
  ...nowhere,
  hasSession: true,
  offered: new Set(offered),
});
const ids = (query: string, place: PalettePlace = nowhere) =>
  matchingActions(query, place).map(({ id }) => id);

describe("matchingActions", () => {
  it("finds an action by the start of any of its words, in any order", () => {
    expect(ids("chat ne")).toEqual(["new-chat", "temporary-chat"]);
    expect(ids("colour")).toEqual(["theme-light", "theme-dark", "theme-system"]);
  });

  it("offers what belongs to a session only while one is open", () => {
    expect(ids("tree")).toEqual([]);
    expect(ids("tree", offering())).toEqual(["drawer-tree"]);
  });

  it("offers what a page can do only where the page offers it", () => {
    expect(ids("pin", offering("pin"))).toEqual(["pin"]);
    expect(ids("pin", offering("unpin"))).toEqual(["unpin"]);
    expect(ids("side by side", offering("compact", "fork"))).toEqual([]);
    expect(ids("side by side", offering("compare"))).toEqual(["compare"]);
  });

  it("tells what is about the open session from what is not", () => {
    const actions = matchingActions("", offering("rename"));
    expect(actions.filter(isOfSession).map(({ id }) => id)).toEqual([
      "find",
      "rename",
      "drawer-memory",
      "drawer-context",
      "drawer-tree",
    ]);
  });

  it("opens with a short list, and without keys where there is no keyboard", () => {
    expect(ids("")).toEqual(["new-chat", "temporary-chat", "settings", "shortcuts"]);
    expect(ids("", { ...nowhere, hasKeyboard: false })).toEqual([
      "new-chat",
      "temporary-chat",
      "settings",
    ]);
  });

  it("finds nothing for words that fit no action", () => {
    expect(ids("ferns")).toEqual([]);
  });
});

const titles = ["A balcony garden", "Tea"];

test.each(["tea", "A bal", "a balcony garden", " TEA "])("%j names a session", (query) => {
  expect(titlesFirst(query, titles)).toBe(true);
});

test.each([
  "garden",
  "balcony",
  '"tea"',
  "tea role:user",
  "tea -green",
  "a balcony garden in may",
  "",
])("%j is a search for text", (query) => {
  expect(titlesFirst(query, titles)).toBe(false);
});

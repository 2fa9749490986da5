import { describe, expect, it } from "vitest";
import { matchingActions } from "./palette-actions";

const ids = (query: string, hasSession = false) =>
  matchingActions(query, { hasSession }).map(({ id }) => id);

describe("matchingActions", () => {
  it("finds an action by the start of any of its words, in any order", () => {
    expect(ids("chat ne")).toEqual(["new-chat"]);
    expect(ids("colour")).toEqual(["theme-light", "theme-dark", "theme-system"]);
  });

  it("offers what belongs to a session only while one is open", () => {
    expect(ids("tree")).toEqual([]);
    expect(ids("tree", true)).toEqual(["drawer-tree"]);
  });

  it("opens with a short list", () => {
    expect(ids("")).toEqual(["new-chat", "settings", "shortcuts"]);
  });

  it("finds nothing for words that fit no action", () => {
    expect(ids("ferns")).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { changeInPages, placeSession, removeSession, type SessionPages } from "./session-pages";
import { sessionWire } from "./testing/session-wire";

const all = { archived: false, tag: null };

const at = (id: string, day: string, change: Partial<SessionWire> = {}) =>
  sessionWire(id, { updatedAt: `2026-01-${day}T00:00:00Z`, ...change });

function pages(...lists: SessionWire[][]): SessionPages {
  return {
    pages: lists.map((sessions, index) => ({
      sessions,
      nextCursor: index < lists.length - 1 ? `${index}` : null,
    })),
    pageParams: lists.map(() => null),
  };
}

const ids = (list: SessionPages) => list.pages.map((page) => page.sessions.map(({ id }) => id));

describe("placeSession", () => {
  it("moves a session that was just used to the top", () => {
    const list = pages([at("a", "09"), at("b", "08")], [at("c", "07")]);
    expect(ids(placeSession(list, at("c", "10"), all))).toEqual([["c", "a", "b"], []]);
  });

  it("puts it between its neighbours, below pinned ones", () => {
    const list = pages([at("p", "01", { pinned: true }), at("a", "09"), at("c", "05")]);
    expect(ids(placeSession(list, at("b", "07"), all))).toEqual([["p", "a", "b", "c"]]);
  });

  it("takes it out of a list whose filter it no longer fits", () => {
    const list = pages([at("a", "09"), at("b", "08")]);
    expect(ids(placeSession(list, at("a", "10", { archived: true }), all))).toEqual([["b"]]);
    expect(ids(placeSession(list, at("a", "10"), { archived: false, tag: "work" }))).toEqual([
      ["b"],
    ]);
  });

  it("leaves out what belongs on a page that was not read", () => {
    const list = { ...pages([at("a", "09")]) };
    list.pages = list.pages.map((page) => ({ ...page, nextCursor: "more" }));
    expect(ids(placeSession(list, at("old", "01"), all))).toEqual([["a"]]);
  });

  it("appends the oldest when everything was read, and starts an empty list", () => {
    expect(ids(placeSession(pages([at("a", "09")]), at("old", "01"), all))).toEqual([["a", "old"]]);
    expect(ids(placeSession(pages([]), at("first", "01"), all))).toEqual([["first"]]);
  });
});

describe("removeSession and changeInPages", () => {
  it("touch only the session they name", () => {
    const list = pages([at("a", "09"), at("b", "08")]);
    expect(ids(removeSession(list, "a"))).toEqual([["b"]]);
    const changed = changeInPages(list, "b", (found) => ({ ...found, title: "new" }));
    expect(changed.pages[0]?.sessions.map(({ title }) => title)).toEqual(["a", "new"]);
  });
});

import { describe, expect, it } from "vitest";
import { sessionWire } from "@/app/_data/testing/session-wire";
import type { SessionDetailWire, SessionWire } from "@/lib/chat/wire/sessions";
import {
  changeInPages,
  placeSession,
  removeSession,
  type SessionPages,
  withoutRelative,
  withRelative,
} from "./session-cache";

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

  it("keeps what a program began in its own list, unless it is pinned or a fork", () => {
    const begun = at("p", "10", { programId: "k1" });
    const shownIn = (session: SessionWire, filter: typeof all & { program?: string }) =>
      ids(placeSession(pages([at("a", "09")]), session, filter))[0]?.includes("p");
    expect(shownIn(begun, all)).toBe(false);
    expect(shownIn(begun, { ...all, program: "k1" })).toBe(true);
    expect(shownIn(begun, { ...all, program: "k2" })).toBe(false);
    expect(shownIn({ ...begun, pinned: true }, all)).toBe(true);
    expect(shownIn({ ...begun, parentSessionId: "a" }, all)).toBe(true);
  });

  it("keeps the last that was read in its place when its title changes", () => {
    const list = { ...pages([at("a", "09"), at("b", "08")]) };
    list.pages = list.pages.map((page) => ({ ...page, nextCursor: "more" }));
    expect(placeSession(list, at("b", "08", { title: "New" }), all).pages[0]?.sessions).toEqual([
      at("a", "09"),
      at("b", "08", { title: "New" }),
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

function detail(shown: SessionWire, change: Partial<SessionDetailWire> = {}): SessionDetailWire {
  return { session: shown, parent: null, forks: [], activeLeafId: null, ...change };
}

const named = (id: string, title = id) => ({ id, title });
const fork = sessionWire("fork", { parentSessionId: "source", forkedAtMessageId: "m1" });

describe("withRelative", () => {
  it("links a fork to its source again when that is put back or renamed", () => {
    const shown = detail(fork);
    const back = withRelative(shown, sessionWire("source"));
    expect(back.parent).toEqual(named("source"));
    expect(withRelative(back, sessionWire("source"))).toBe(back);
    const renamed = withRelative(back, sessionWire("source", { title: "New" }));
    expect(renamed.parent).toEqual(named("source", "New"));
  });

  it("lists a new fork, once and by its present title", () => {
    const shown = withRelative(detail(sessionWire("source")), fork);
    expect(shown.forks).toEqual([named("fork")]);
    expect(withRelative(shown, fork)).toBe(shown);
    const renamed = withRelative(shown, { ...fork, title: "Other" });
    expect(renamed.forks).toEqual([named("fork", "Other")]);
  });

  it("leaves strangers alone, and the second half of a split session, which is no fork", () => {
    const shown = detail(sessionWire("source"));
    expect(withRelative(shown, sessionWire("other"))).toBe(shown);
    expect(withRelative(shown, { ...fork, forkedAtMessageId: null })).toBe(shown);
  });
});

describe("withoutRelative", () => {
  it("takes away the link to a source that is gone, and to a fork that is gone", () => {
    const shown = detail(fork, { parent: named("source"), forks: [named("a"), named("b")] });
    expect(withoutRelative(shown, "source").parent).toBeNull();
    expect(withoutRelative(shown, "a").forks).toEqual([named("b")]);
    expect(withoutRelative(shown, "other")).toBe(shown);
  });
});

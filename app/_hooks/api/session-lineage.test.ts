import { describe, expect, it } from "vitest";
import type { SessionDetailWire, SessionWire } from "@/lib/chat/wire";
import { withoutRelative, withRelative } from "./session-lineage";

function session(id: string, change: Partial<SessionWire> = {}): SessionWire {
  return {
    id,
    title: id,
    model: null,
    tags: [],
    pinned: false,
    archived: false,
    messageCount: 1,
    parentSessionId: null,
    forkedAtMessageId: null,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    memoryMode: "on",
    writing: false,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-01T00:00:00Z",
    ...change,
  };
}

function detail(shown: SessionWire, change: Partial<SessionDetailWire> = {}): SessionDetailWire {
  return { session: shown, parent: null, forks: [], activeLeafId: null, ...change };
}

const named = (id: string, title = id) => ({ id, title });
const fork = session("fork", { parentSessionId: "source", forkedAtMessageId: "m1" });

describe("withRelative", () => {
  it("links a fork to its source again when that is put back or renamed", () => {
    const shown = detail(fork);
    const back = withRelative(shown, session("source"));
    expect(back.parent).toEqual(named("source"));
    expect(withRelative(back, session("source"))).toBe(back);
    const renamed = withRelative(back, session("source", { title: "New" }));
    expect(renamed.parent).toEqual(named("source", "New"));
  });

  it("lists a new fork, once and by its present title", () => {
    const shown = withRelative(detail(session("source")), fork);
    expect(shown.forks).toEqual([named("fork")]);
    expect(withRelative(shown, fork)).toBe(shown);
    const renamed = withRelative(shown, { ...fork, title: "Other" });
    expect(renamed.forks).toEqual([named("fork", "Other")]);
  });

  it("leaves strangers alone, and the second half of a split session, which is no fork", () => {
    const shown = detail(session("source"));
    expect(withRelative(shown, session("other"))).toBe(shown);
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

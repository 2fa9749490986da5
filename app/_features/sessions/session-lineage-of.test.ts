import { describe, expect, it } from "vitest";
import type { SessionDetailWire, SessionWire } from "@/lib/chat/wire/sessions";
import { withoutRelative, withRelative } from "./session-lineage-of";
import { sessionWire } from "./testing/session-wire";

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

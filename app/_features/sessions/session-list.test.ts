import { describe, expect, it } from "vitest";
import { sessionWire } from "@/app/_data/testing/session-wire";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { groupSessions } from "./session-list";

const now = new Date(2026, 4, 20, 9, 0);

function session(id: string, updatedAt: Date, pinned = false): SessionWire {
  return sessionWire(id, { pinned, updatedAt: updatedAt.toISOString() });
}

const shown = (sessions: SessionWire[]) =>
  groupSessions(sessions, now).map((line) =>
    line.type === "heading" ? `# ${line.group}` : line.session.id,
  );

describe("groupSessions", () => {
  it("groups by the reader's calendar days, not by hours passed", () => {
    expect(
      shown([
        session("this morning", new Date(2026, 4, 20, 0, 1)),
        session("last night", new Date(2026, 4, 19, 23, 59)),
        session("a week ago", new Date(2026, 4, 13, 12, 0)),
        session("long ago", new Date(2025, 0, 1)),
      ]),
    ).toEqual([
      "# Today",
      "this morning",
      "# Yesterday",
      "last night",
      "# Last 7 days",
      "a week ago",
      "# Older",
      "long ago",
    ]);
  });

  it("puts pinned sessions first, whenever they were used", () => {
    expect(shown([session("new", now), session("kept", new Date(2024, 0, 1), true)])).toEqual([
      "# Pinned",
      "kept",
      "# Today",
      "new",
    ]);
  });

  it("shows nothing for no sessions", () => {
    expect(shown([])).toEqual([]);
  });
});

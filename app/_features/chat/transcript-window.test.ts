import { describe, expect, it } from "vitest";
import { entry, page, path, run } from "@/app/_data/testing/wire-builders";
import type { EntryWire } from "@/lib/chat/wire/messages";
import {
  appendNewer,
  cutAfter,
  type LoadedTranscript,
  mergeNewest,
  openWindow,
  openWindowAround,
  prependOlder,
  runAtEnd,
  runOnPath,
  withMarks,
  withoutMessages,
  withoutRun,
  withRun,
  withStored,
} from "./transcript-window";

const ids = (window: LoadedTranscript) => window.entries.map(({ message }) => message.id);

function summaryEntry(fromMessageId: string, toMessageId: string): EntryWire {
  const compaction = {
    id: "c",
    summary: "…",
    fromMessageId,
    toMessageId,
    createdAt: "2026-03-01T12:00:00.000Z",
    messageCount: 2,
    summaryTokens: 9,
  };
  return entry("compaction_c", null, { compaction });
}

describe("growing at its ends", () => {
  it("puts an older page before what is there, without repeating what both hold", () => {
    const window = openWindow(page(path("q2", "a2"), { hasMore: true }));
    const grown = prependOlder(window, page(path("q1", "a1", "q2")));
    expect(ids(grown)).toEqual(["q1", "a1", "q2", "a2"]);
    expect(grown.hasOlder).toBe(false);
  });

  it("puts a newer page after what is there", () => {
    const window = openWindowAround(page(path("q1")), page(path("a1"), { hasMore: true }));
    const grown = appendNewer(window, page(path("a1", "q2")));
    expect(ids(grown)).toEqual(["q1", "a1", "q2"]);
    expect(grown.hasNewer).toBe(false);
  });
});

describe("a fresh newest page", () => {
  it("keeps the older entries that were loaded before it", () => {
    const [q1, a1, q2, a2, q3] = path("q1", "a1", "q2", "a2", "q3");
    const window = openWindow(page([q1, a1, q2, a2] as EntryWire[], { hasMore: true }));
    const merged = mergeNewest(window, page([q2, a2, q3] as EntryWire[]));
    expect(ids(merged)).toEqual(["q1", "a1", "q2", "a2", "q3"]);
    expect(merged.hasOlder).toBe(true);
    expect(merged.leafId).toBe("q3");
  });

  it("replaces a window it does not meet", () => {
    const window = openWindow(page(path("q1", "a1")));
    expect(ids(mergeNewest(window, page(path("q8", "a8"))))).toEqual(["q8", "a8"]);
  });

  it("leaves a reader in the middle of the path where they are", () => {
    const window = openWindowAround(page(path("q1")), page(path("a1"), { hasMore: true }));
    const merged = mergeNewest(window, page(path("q8", "a8"), { runs: [run("a9", "a8")] }));
    expect(ids(merged)).toEqual(["q1", "a1"]);
    expect(merged.runs).toHaveLength(1);
  });

  it("knows the answer written at the end of a path of which the middle is shown", () => {
    const middle = openWindowAround(page(path("q1")), page(path("a1"), { hasMore: true }));
    const window = { ...middle, leafId: "q8", runs: [run("a8", "q8")] };
    expect(runOnPath(window)).toBeNull();
    expect(runAtEnd(window)?.messageId).toBe("a8");
  });

  it("follows the end of the path that is shown from its middle", () => {
    const middle = openWindowAround(page(path("q1")), page(path("a1"), { hasMore: true }));
    const window = { ...middle, leafId: "q8" };
    expect(mergeNewest(window, page(path("q8", "a8"))).leafId).toBe("a8");
    expect(mergeNewest(window, page(path("b8"))).leafId).toBe("q8");
  });

  it("keeps an answer in view that ended but is not stored yet", () => {
    const window = withRun(openWindow(page(path("q1"))), run("a1", "q1"));
    const merged = mergeNewest(window, page(path("q1")));
    expect(runOnPath(merged)?.messageId).toBe("a1");
  });

  it("shows the stored answer in place of the one being written", () => {
    const window = withRun(openWindow(page(path("q1"))), run("a1", "q1"));
    const merged = mergeNewest(window, page(path("q1", "a1")));
    expect(runOnPath(merged)).toBeNull();
    expect(ids(merged)).toEqual(["q1", "a1"]);
  });
});

describe("branching", () => {
  const window = openWindow(page(path("q1", "a1", "q2", "a2")));

  it("ends the path at a message", () => {
    const cut = cutAfter(window, "a1");
    expect(ids(cut)).toEqual(["q1", "a1"]);
    expect(cut.leafId).toBe("a1");
  });

  it("ends the path after the messages a summary stands for", () => {
    const summed = openWindow(page([summaryEntry("q1", "a1"), ...path("q2", "a2")]));
    expect(ids(cutAfter(summed, "a1"))).toEqual(["compaction_c"]);
  });

  it("stays as it is when the message is not loaded", () => {
    expect(cutAfter(window, "elsewhere")).toBe(window);
  });

  it("shows an edited question in place of what followed its parent", () => {
    const edited = withStored(window, entry("q2b", "a1"));
    expect(ids(edited)).toEqual(["q1", "a1", "q2b"]);
    expect(edited.leafId).toBe("q2b");
  });

  it("shows an edited first question alone", () => {
    expect(ids(withStored(window, entry("q1b", null)))).toEqual(["q1b"]);
  });

  it("does not show a stored message twice", () => {
    const once = withStored(window, entry("q3", "a2"));
    expect(ids(withStored(once, entry("q3", "a2")))).toEqual(["q1", "a1", "q2", "a2", "q3"]);
  });

  it("shows another answer in place of the one there is", () => {
    const again = withRun(window, run("a2b", "q2"));
    expect(ids(again)).toEqual(["q1", "a1", "q2"]);
    expect(runOnPath(again)?.messageId).toBe("a2b");
    expect(runOnPath(withoutRun(again, "run-a2b"))).toBeNull();
  });

  it("does not show an answer that is written on another branch", () => {
    const elsewhere = { ...window, runs: [run("a1b", "q1")] };
    expect(runOnPath(elsewhere)).toBeNull();
  });
});

it("closes the path over deleted messages and moves the leaf up", () => {
  const window = openWindow(page(path("q1", "a1", "q2")));
  const closed = withoutMessages(window, ["a1", "q2"]);
  expect(ids(closed)).toEqual(["q1"]);
  expect(closed.leafId).toBe("q1");
});

it("marks a message as bookmarked without touching the others", () => {
  const window = openWindow(page(path("q1", "a1")));
  const pinned = withMarks(window, "a1", { pinned: true, label: null });
  expect(pinned.entries.map((each) => each.pinned)).toEqual([false, true]);
  expect(pinned.entries[0]).toBe(window.entries[0]);
});

import { describe, expect, it } from "vitest";
import { newOutgoing } from "@/app/_data/chat/outbox";
import { entry, page, path, run, summaryRun } from "@/app/_data/testing/wire-builders";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import type { EntryWire, SiblingsWire } from "@/lib/chat/wire/messages";
import { transcriptRows } from "./transcript-rows";
import { type LoadedTranscript, openWindow, withRun } from "./transcript-window";

const noSiblings: ReadonlyMap<string, SiblingsWire> = new Map();
const rowsOf = (window: LoadedTranscript, outgoing = [] as ReturnType<typeof newOutgoing>[]) =>
  transcriptRows({ window, outgoing, runSiblings: noSiblings });

it("gives a message being sent, its stored copy and its siblings the same key", () => {
  const outgoing = newOutgoing({ sessionId: "s", text: "q2", parentId: "a1" });
  const sending = rowsOf(openWindow(page(path("q1", "a1"))), [outgoing]);
  const stored = rowsOf(openWindow(page([...path("q1", "a1"), entry("q2", "a1")])));
  expect(sending.map(({ key }) => key)).toEqual(stored.map(({ key }) => key));
});

it("gives an answer being written and its stored copy the same key", () => {
  const writing = rowsOf(withRun(openWindow(page(path("q1"))), run("a1", "q1")));
  const stored = rowsOf(openWindow(page(path("q1", "a1"))));
  expect(writing.at(-1)?.kind).toBe("run");
  expect(writing.at(-1)?.key).toBe(stored.at(-1)?.key);
});

it("shows a message once that is stored and not yet acknowledged, and its answer being written", () => {
  const outgoing = newOutgoing({
    sessionId: "s",
    text: "q2",
    expectedLeaf: "a1",
    ids: { id: "q2", answerId: "a2" },
  });
  const stored = openWindow(page(path("q1", "a1", "q2"), { runs: [run("a2", "q2")] }));
  const rows = rowsOf(stored, [outgoing]);
  expect(rows.map(({ kind }) => kind)).toEqual(["message", "message", "message", "run"]);
});

it("never repeats a key", () => {
  const twins: EntryWire[] = [entry("q1", null), entry("q2", null)];
  const keys = rowsOf(openWindow(page(twins))).map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});

it("hides what followed the message that an edit replaces", () => {
  const outgoing = newOutgoing({ sessionId: "s", text: "other", parentId: null });
  const rows = rowsOf(openWindow(page(path("q1", "a1"))), [outgoing]);
  expect(rows.map(({ kind }) => kind)).toEqual(["outgoing"]);
});

it("begins a day with its first message only", () => {
  const late = entry("q2", "a1", { createdAt: "2026-03-05T12:00:00.000Z" });
  const rows = rowsOf(openWindow(page([...path("q1", "a1"), late])));
  expect(rows.map(({ startsDay }) => startsDay)).toEqual(["2026-03-01", null, "2026-03-05"]);
});

it("names no day for a summary, which is made after the messages it precedes", () => {
  const createdAt = "2026-03-09T12:00:00.000Z";
  const compaction = { id: "c", summary: "", fromMessageId: "q1", toMessageId: "a1", createdAt };
  const summary = entry("compaction_c", null, {
    createdAt,
    compaction: { ...compaction, messageCount: 2, summaryTokens: 9 },
  });
  const rows = rowsOf(openWindow(page([summary, entry("q2", "a1"), entry("a2", "q2")])));
  expect(rows.map(({ startsDay }) => startsDay)).toEqual([null, "2026-03-01", null]);
});

describe("a summary being written", () => {
  const messages = path("q1", "a1", "q2", "a2");
  const kindsWith = (summary: SummaryRunWire, entries = messages) =>
    rowsOf(openWindow(page(entries, { summaries: [summary] }))).map(({ kind }) => kind);

  it("stands after the last message it covers, all of which stay", () => {
    expect(kindsWith(summaryRun("a1"))).toEqual([
      "message",
      "message",
      "summary",
      "message",
      "message",
    ]);
  });

  it("is not shown on a path without that message", () => {
    expect(kindsWith(summaryRun("elsewhere"))).not.toContain("summary");
  });

  it("gives way to the stored summary", () => {
    const { startedAt: createdAt } = summaryRun("a1");
    const compaction = { id: "c", summary: "", fromMessageId: "q1", toMessageId: "a1", createdAt };
    const stored = entry("compaction_c", null, {
      compaction: { ...compaction, messageCount: 2, summaryTokens: 9 },
    });
    expect(kindsWith(summaryRun("a1"), [stored, ...messages.slice(2)])).toEqual([
      "compaction",
      "message",
      "message",
    ]);
    const rows = rowsOf(
      openWindow(page([stored], { summaries: [summaryRun("a1", { replaces: "c" })] })),
    );
    expect(rows).toMatchObject([{ kind: "compaction", successor: { id: "summary-a1" } }]);
  });

  it("that an answer waits for is named at the answer", () => {
    const window = openWindow(
      page(path("q1", "a1", "q2"), {
        summaries: [summaryRun("a1", { isManual: false, leafId: "q2" })],
        runs: [run("a2", "q2")],
      }),
    );
    expect(rowsOf(window).at(-1)).toMatchObject({ kind: "run", awaited: { id: "summary-a1" } });
  });
});

describe("a question to several models", () => {
  const asked = [
    { answerId: "a1", model: "x" },
    { answerId: "a2", model: "y" },
  ];
  const asking = (metadata: object) => {
    const [question, ...rest] = path("q1", "a1");
    if (!question) throw new Error("There is no question.");
    return [{ ...question, message: { ...question.message, metadata } }, ...rest];
  };

  it("shows its answers as one row, stored or not, until one is kept", () => {
    const window = openWindow(page(asking({ together: asked })));
    const running = { ...window, runs: [run("a2", "q1"), run("elsewhere", "q1")] };
    const row = rowsOf(running).at(-1);
    expect(row).toMatchObject({ kind: "together", asked, entry: { message: { id: "a1" } } });
    expect(row?.kind === "together" && row.runs.map(({ messageId }) => messageId)).toEqual(["a2"]);
    const kept = rowsOf(openWindow(page(asking({ together: asked, kept: "a1" }))));
    expect(kept.map(({ kind }) => kind)).toEqual(["message", "message"]);
  });

  it("shows one answer once the chat goes on below it", () => {
    const below = [...asking({ together: asked }), entry("q2", "a1")];
    expect(rowsOf(openWindow(page(below))).map(({ kind }) => kind)).not.toContain("together");
    const outgoing = newOutgoing({ sessionId: "s", text: "next", expectedLeaf: "a1" });
    const sending = rowsOf(openWindow(page(asking({ together: asked }))), [outgoing]);
    expect(sending.map(({ kind }) => kind)).toEqual(["message", "message", "outgoing"]);
  });
});

it("shows answers that only call tools with the answer before them", () => {
  const calls = (id: string, parentId: string) =>
    entry(id, parentId, {
      message: {
        id,
        role: "assistant",
        parts: [
          {
            type: "dynamic-tool",
            toolName: "bash",
            toolCallId: id,
            state: "output-available",
            input: {},
            output: "ok",
          },
        ],
      },
    });
  const entries = [...path("q1", "a1"), calls("a2", "a1"), calls("a3", "a2"), entry("a4", "a3")];
  const rows = rowsOf(openWindow(page(entries)));
  const shown = rows.map((row) =>
    row.kind === "message" ? [row.entry, ...row.followers].map(({ message }) => message.id) : [],
  );
  expect(shown).toEqual([["q1"], ["a1", "a2", "a3"], ["a4"]]);
});

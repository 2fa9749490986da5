import { expect, test } from "vitest";
import type { ImportReportWire } from "@/lib/chat/wire/data";
import type { FoundChat } from "@/lib/history/found-chats";
import {
  chosenChats,
  type HistoryImport,
  lossesOf,
  nothingRead,
  openChats,
  tally,
  unseenBranches,
  withReport,
} from "./history-import";

const chat = (id: string, more: Partial<FoundChat> = {}): FoundChat => ({
  id,
  title: id,
  product: "ChatGPT",
  updatedAt: null,
  messages: 2,
  branches: 1,
  losses: [],
  ...more,
});

const report = (outcomes: ImportReportWire["outcomes"]): ImportReportWire => ({
  sessions: { imported: 0, already: 0, restored: 0, failed: 0 },
  documents: { imported: 0, already: 0, left: 0 },
  outcomes,
  problems: [{ line: 4, message: "The line is not valid JSON." }],
  problemCount: 1,
  ...{ offers: [], offerCount: 0, changes: [] },
});

const read: HistoryImport = {
  ...nothingRead,
  phase: "review",
  chats: [chat("a", { branches: 4 }), chat("b", { branches: 2 }), chat("c")],
  excluded: new Set(["c"]),
};

test("An import goes on with the chats that were chosen and have no outcome yet", () => {
  const after = withReport(read, {
    ids: ["a"],
    report: report([{ id: "a", sessionId: "a", outcome: "imported" }]),
  });
  expect(chosenChats(after).map(({ id }) => id)).toEqual(["a", "b"]);
  expect(openChats(after).map(({ id }) => id)).toEqual(["b"]);
});

test("A chat that the server does not name was left out, and says why", () => {
  const after = withReport(read, {
    ids: ["a", "b"],
    report: report([{ id: "a", sessionId: "a2", outcome: "already" }]),
  });
  expect(tally(after.outcomes)).toEqual({ imported: 0, already: 1, restored: 0, failed: 1 });
  expect(after.outcomes.get("b")).toMatchObject({ message: "The line is not valid JSON." });
});

test("Branches beyond the shown one are counted where a chat came in, most first", () => {
  const outcomes = ["a", "b"].map((id) => ({
    id,
    sessionId: `${id}-here`,
    outcome: "imported" as const,
  }));
  const after = withReport(read, { ids: ["a", "b"], report: report(outcomes) });
  expect(unseenBranches(after)).toMatchObject({
    count: 4,
    chats: [{ sessionId: "a-here" }, { sessionId: "b-here" }],
  });
});

test("Losses are counted by kind, whatever files they name", () => {
  const losses = ["Files are not in the export: “x”.", "Recordings are not imported."];
  const given = [
    chat("a", { losses }),
    chat("b", { losses: ["Files are not in the export: “y”."] }),
  ];
  expect(lossesOf(given)).toEqual([
    ["Files are not in the export.", 2],
    ["Recordings are not imported.", 1],
  ]);
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { writeTextDraft } from "@/app/_data/memory/text-draft";
import { readSummaryDraft, summaryDraftKey, typed, writeSummaryDraft } from "./use-note-summary";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});

afterEach(() => vi.unstubAllGlobals());

const drafted = { text: "By train at nine.", model: "demo" };

describe("a summary", () => {
  test("stays the model's while its draft is edited", () => {
    expect(typed(drafted, "By train at ten.")).toEqual({ text: "By train at ten.", model: "demo" });
  });

  test("is the person's once the model's draft was emptied", () => {
    const emptied = typed(drafted, " ");
    expect(typed(emptied, "By boat.")).toEqual({ text: "By boat.", model: null });
  });
});

describe("the draft of a summary", () => {
  const key = summaryDraftKey("s", { from: "a", to: null });

  test("keeps text and author until it is removed", () => {
    writeSummaryDraft(key, drafted);
    expect(readSummaryDraft(key)).toEqual(drafted);
    writeSummaryDraft(key, null);
    expect(readSummaryDraft(key)).toBeNull();
  });

  test("is none for an empty text", () => {
    writeSummaryDraft(key, drafted);
    writeSummaryDraft(key, { text: " ", model: null });
    expect(readSummaryDraft(key)).toBeNull();
  });

  test("belongs to the two places it was written between", () => {
    writeSummaryDraft(key, drafted);
    expect(readSummaryDraft(summaryDraftKey("s", { from: "a", to: "b" }))).toBeNull();
    expect(readSummaryDraft(summaryDraftKey("s", { from: "b", to: null }))).toBeNull();
  });

  test.each(["not json", "null", '{"text":1}', '{"text":"a","model":1}'])(
    "is none where %s is stored",
    (text) => {
      writeTextDraft(key, { text, version: 0 });
      expect(readSummaryDraft(key)).toBeNull();
    },
  );
});

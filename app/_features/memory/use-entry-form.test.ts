import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readTextDraft, writeTextDraft } from "@/app/_data/memory/text-draft";
import { bodyOf, readEntryDraft, writeEntryDraft } from "./use-entry-form";

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

test("keeps a draft until it is forgotten", () => {
  writeTextDraft("k", { text: "typed", version: 3 });
  expect(readTextDraft("k")).toEqual({ text: "typed", version: 3 });
  writeTextDraft("k", null);
  expect(readTextDraft("k")).toBeNull();
});

test("keeps all fields of an entry", () => {
  const draft = { text: { title: "t", description: "", content: "c" }, version: 0 };
  writeEntryDraft("k", draft);
  expect(readEntryDraft("k")).toEqual(draft);
});

test("sends a cleared description as cleared", () => {
  expect(bodyOf({ title: " t ", description: " ", content: " c" })).toEqual({
    title: "t",
    description: "",
    content: " c",
  });
});

test("has no draft where something else is stored, or nothing can be", () => {
  writeTextDraft("k", { text: '{"title":1}', version: 0 });
  expect(readEntryDraft("k")).toBeNull();
  localStorage.setItem("grove:local:text-draft:k", "not json");
  expect(readTextDraft("k")).toBeNull();
  vi.stubGlobal("localStorage", undefined);
  writeTextDraft("k", { text: "typed", version: 3 });
  expect(readTextDraft("k")).toBeNull();
});

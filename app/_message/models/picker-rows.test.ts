import { describe, expect, it } from "vitest";
import { modelWire } from "@/app/_data/testing/model-wire";
import {
  hiddenCount,
  missingModels,
  type PickerRowsInput,
  pickerRows,
  rowAfter,
} from "./picker-rows";

const models = [
  modelWire("a/gpt-10", { provider: "A" }),
  modelWire("a/gpt-4", { provider: "A", isFavorite: true }),
  modelWire("b/llama", { provider: "B" }),
  modelWire("b/old", { provider: "B", isHidden: true }),
];
const input: PickerRowsInput = {
  models,
  unlisted: [],
  query: "",
  recent: ["b/llama", "a/gpt-4", "gone/model"],
  hasAutomatic: true,
  showsHidden: false,
  chosen: [],
};
const wordsOf = (change: Partial<PickerRowsInput> = {}) =>
  pickerRows({ ...input, ...change }).map((row) => {
    if (row.kind === "model") return row.model.ref;
    return row.kind === "heading" ? `# ${row.label}` : row.kind;
  });

describe("pickerRows", () => {
  it("lists favorites and recent models before the providers, and counts as people do", () => {
    expect(wordsOf()).toEqual([
      "automatic",
      ...["# Favorites", "a/gpt-4"],
      ...["# Recent", "b/llama"],
      ...["# A", "a/gpt-4", "a/gpt-10"],
      ...["# B", "b/llama"],
    ]);
  });

  it("lists each match of a search once, under its provider", () => {
    expect(wordsOf({ query: "GPT a" })).toEqual(["# A", "a/gpt-4", "a/gpt-10"]);
    expect(wordsOf({ query: "nothing" })).toEqual([]);
  });

  it("offers the typed name of a provider whose list lacks models, unless it is listed or no name", () => {
    const unlisted = [{ provider: "b", label: "B" }];
    expect(wordsOf({ query: " llama-9 ", unlisted })).toEqual(["# B: not in its list", "typed"]);
    expect(wordsOf({ query: "llama", unlisted })).toEqual(["# B", "b/llama"]);
    expect(wordsOf({ query: "two words", unlisted })).toEqual([]);
    expect(missingModels(["b/llama-9", "c/gone"], { models: [], unlisted })).toEqual(["c/gone"]);
  });

  it("leaves hidden models out unless they are asked for or chosen", () => {
    expect(hiddenCount(input)).toBe(1);
    expect(wordsOf({ query: "old" })).toEqual([]);
    expect(wordsOf({ query: "old", showsHidden: true })).toEqual(["# B", "b/old"]);
    expect(wordsOf({ query: "old", chosen: ["b/old"] })).toEqual(["# B", "b/old"]);
  });

  it("keeps unique keys for a model in several groups", () => {
    const keys = pickerRows(input).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("rowAfter", () => {
  it("passes over headings and stays at the ends", () => {
    const rows = pickerRows(input);
    expect(rowAfter(rows, 0, 1)).toBe(2);
    expect(rowAfter(rows, 2, -1)).toBe(0);
    expect(rowAfter(rows, 0, -1)).toBe(0);
    expect(rowAfter(rows, 0, 100)).toBe(rows.length - 1);
  });
});

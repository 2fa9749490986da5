import { expect, test } from "vitest";
import { renderPrompt } from "@/lib/session/internal";
import { usesAtEnd, usesAtStart } from "./answer-receipt";

const block = (label: string, content: string) => ({
  id: label,
  label,
  content,
  tokens: 0,
  writable: true,
  isSkill: false,
  isSearchable: false,
});
const tea = { label: "skills", key: "tea" };
const load = (key: string, output: unknown) => ({
  type: "tool-load_context",
  toolCallId: key,
  state: "output-available",
  input: { label: "skills", key },
  output,
});

test("an answer begins with the blocks that say something, and the skills that are loaded", () => {
  const prompt = renderPrompt([block("memory", "Likes tea"), block("todos", "")]);
  expect(usesAtStart(prompt, [tea])).toEqual([
    { label: "memory", key: null, how: "prompt" },
    { ...tea, how: "loaded" },
  ]);
});

test("what it searched out and loaded is added, each thing once and none that was not there", () => {
  const start = [{ ...tea, how: "loaded" as const }];
  const parts = [load("tea", "Boil"), load("cake", "Bake"), load("none", { outcome: "refused" })];
  const boiler = { label: "knowledge", key: "boiler" };
  expect(usesAtEnd(start, { found: [boiler, boiler], parts })).toEqual([
    { ...tea, how: "loaded" },
    { label: "skills", key: "cake", how: "loaded" },
    { ...boiler, how: "found" },
  ]);
});

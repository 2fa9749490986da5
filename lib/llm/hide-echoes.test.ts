import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hideEchoes } from "./hide-echoes";

type Part = LanguageModelV4StreamPart;

const key = 'sk-Zürich/42+"key';

async function shown(parts: readonly Part[]): Promise<Part[]> {
  const stream = convertArrayToReadableStream([...parts]);
  const model = wrapLanguageModel({
    model: new MockLanguageModelV4({ doStream: { stream } }),
    middleware: hideEchoes(key),
  });
  const result = await model.doStream({ prompt: [] });
  return Array.fromAsync(result.stream);
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
}

const delta = (text: string, id = "1"): Part => ({ type: "text-delta", id, delta: text });
const end: Part = { type: "text-end", id: "1" };

const forms = [key, encodeURIComponent(key), Buffer.from(key).toString("hex"), key.toUpperCase()];

test("A key is hidden wherever its pieces are cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...forms),
      fc.string({ unit: fc.constantFrom("s", "k", "-", " ", "ö", "7") }),
      fc.array(fc.nat(60)),
      async (form, around, cuts) => {
        const text = `${around}|${form}|${around}`;
        const places = [0, ...cuts.map((cut) => cut % text.length), text.length];
        const sorted = places.toSorted((one, other) => one - other);
        const pieces = sorted.slice(1).map((to, index) => delta(text.slice(sorted[index], to)));
        expect(textOf(await shown([...pieces, end]))).toBe(`${around}|[hidden]|${around}`);
      },
    ),
  );
});

test("The beginning of a key alone is shown when its text ends, before the end", async () => {
  expect(await shown([delta("a sk-Z"), end])).toEqual([delta("a "), delta("sk-Z"), end]);
});

test("Texts that take turns are read apart", async () => {
  const parts = [delta("sk-Zürich", "1"), delta("sk-Zürich", "2"), delta('/42+"key', "1")];
  const ends: Part[] = [end, { type: "text-end", id: "2" }];
  expect(textOf(await shown([...parts, ...ends]))).toBe("[hidden]sk-Zürich");
});

test("A key in a tool call, a source or a result is hidden", async () => {
  const call: Part = {
    type: "tool-call",
    toolCallId: "c",
    toolName: "t",
    input: JSON.stringify({ key }),
  };
  const source: Part = {
    type: "source",
    sourceType: "url",
    id: "s",
    url: `https://a.test/${encodeURIComponent(key)}`,
  };
  const parts = await shown([call, source]);
  expect(JSON.stringify(parts)).not.toContain("42+");
  expect(parts[0]).toEqual({ ...call, input: '{"key":"[hidden]"}' });
});

import { expect, it } from "vitest";
import { parseQuery } from "../../session";
import { SnippetsInTurns } from "./snippets-in-turns";

const prose = (words: string) =>
  `${"The fox sleeps under a tree. ".repeat(6_000)}${words} at last.`;

it("A word deep in a long text is found, with the words around it", async () => {
  const { text, marks } = await new SnippetsInTurns(parseQuery("kettle"), undefined).of(
    prose("A kettle"),
  );
  expect(text).toMatch(/^…/);
  expect(text).toMatch(/A kettle at last\.$/);
  expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(["kettle"]);
});

it("A text without the word shows its beginning", async () => {
  const { text, marks } = await new SnippetsInTurns(parseQuery("kettle"), undefined).of(prose(""));
  expect(text).toMatch(/^The fox .*…$/);
  expect(marks).toEqual([]);
});

it("Others have their turn while a long text is read", async () => {
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  const texts = new SnippetsInTurns(parseQuery("kettle"), undefined);
  for (let n = 0; n < 5; n++) await texts.of(prose(""));
  clearInterval(count);
  expect(turns).toBeGreaterThan(3);
});

it("Reading stops when nobody waits for the answer any more", async () => {
  const reader = new AbortController();
  const reading = new SnippetsInTurns(parseQuery("kettle"), reader.signal).of(prose(""));
  reader.abort(new Error("gone"));
  await expect(reading).rejects.toThrow("gone");
});

import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** Stories in a browser take half of the time of `npm test`. */
const most = 48;

test("every feature has a story that `npm test` runs, in a browser where only that can tell", async () => {
  const inBrowser = await storiesOf("e2e", ".spec.ts", ({ essential }) => essential);
  const without = await storiesOf("app/_stories", ".test.ts", ({ all, long }) => all - long);
  const told = new Set(without.map(({ feature }) => feature));
  const untold = inBrowser.filter(({ count, feature }) => count === 0 && !told.has(feature));
  expect([...untold, ...without.filter(({ count }) => count === 0)]).toEqual([]);
  expect(inBrowser.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(most);
});

interface Marks {
  readonly all: number;
  readonly essential: number;
  readonly long: number;
}

async function storiesOf(folder: string, ending: string, count: (marks: Marks) => number) {
  const files = (await readdir(folder)).filter((name) => name.endsWith(ending));
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(`${folder}/${file}`, "utf8");
      const found = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
      const marks = {
        all: found(/^\s*test(\.runIf\(.*\))?\(/gm),
        essential: found(/"@essential"/g),
        long: found(/tags: "long"/g),
      };
      return { feature: file.slice(0, -ending.length), count: count(marks) };
    }),
  );
}

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const page = new URL("reference-systems.md", import.meta.url);
const rows = (await readFile(page, "utf8"))
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\| there|^\|---/.test(line))
  .map((line) => line.slice(2, -2).split(" | "));

test("every feature has ours, a test and the difference", () => {
  expect(rows.length).toBeGreaterThan(90);
  const incomplete = rows.filter(
    (row) => row.length !== 4 || row.some((cell) => cell.trim() === ""),
  );
  expect(incomplete).toEqual([]);
  expect(rows.filter(([, here]) => /^(none|nothing|—|-)$/i.test(here ?? ""))).toEqual([]);
});

test("every test it names exists under that title", async () => {
  const named = rows.map(([there, , cell = ""]) => {
    const [, title = "", path = ""] = /^\[(.+)\]\((\S+)\)$/.exec(cell) ?? [];
    return { there, title, path };
  });
  const missing = named.map(async ({ there, title, path }) => {
    if (path === "") return [`${there}: no link to a test`];
    const source = await readFile(new URL(path, page), "utf8");
    return source.includes(`"${title}"`) ? [] : [`${there}: no test "${title}" in ${path}`];
  });
  expect((await Promise.all(missing)).flat()).toEqual([]);
});

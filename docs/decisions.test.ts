import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { linksOf } from "./testing/markdown";

const folder = fileURLToPath(new URL("decisions", import.meta.url));
const index = await readFile(join(folder, "README.md"), "utf8");
const names = (await readdir(folder)).filter((name) => /^\d{4}-.+\.md$/.test(name)).sort();
const numbers = names.map((name) => name.slice(0, 4));
const records = await Promise.all(
  names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
);

test("every record is in the index, in order", () => {
  expect([...index.matchAll(/^\| \[(\d{4})\]/gm)].map(([, number]) => number)).toEqual(numbers);
});

test("a number belongs to one record, or is merged into one", () => {
  const merged = records.flatMap(([, record]) => mergedInto(record));
  expect(new Set([...numbers, ...merged]).size).toBe(numbers.length + merged.length);
});

describe.each(records)("%s", (name, record) => {
  const [heading = "", state = ""] = paragraphsOf(record);
  const row = index.split("\n").find((line) => line.includes(`](${name})`)) ?? "";
  const [, , title, stateInIndex, merges = "", see = ""] = row
    .split("|")
    .map((cell) => cell.trim());

  test("has the form of all records, in at most 40 lines", () => {
    expect(heading).toMatch(/^# \d{4} · \S/);
    expect(state).toMatch(
      /^\*(In force|Superseded by \[\d{4}\]\(\S+\))( · merges (\d{4}(, )?)+)? · see \[.+\*$/,
    );
    const labels = [...record.matchAll(/^\*\*(Context|Decision|Alternatives|Cost)\.\*\*/gm)];
    expect(labels.map(([, label]) => label)).toEqual([
      "Context",
      "Decision",
      "Alternatives",
      "Cost",
    ]);
    expect(record.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  });

  test("says in the index what it says itself", () => {
    expect(heading).toBe(`# ${name.slice(0, 4)} · ${title}`);
    expect(state.toLowerCase()).toContain(`*${stateInIndex}`);
    expect(mergedInto(record)).toEqual(merges.match(/\d{4}/g) ?? []);
    expect(linksOf(see)).toEqual(linksOf(seeOf(state)));
  });

  test("is linked by the pages that rest on it", async () => {
    const pages = linksOf(seeOf(state)).map((target) =>
      normalize(join(folder, target.split("#")[0] ?? "")),
    );
    const silent = await Promise.all(
      pages.map(async (page) =>
        existsSync(page) && (await readFile(page, "utf8")).includes(name) ? [] : [basename(page)],
      ),
    );
    expect(silent.flat()).toEqual([]);
  });
});

function paragraphsOf(record: string): string[] {
  return record.split("\n\n").map((paragraph) => paragraph.replaceAll("\n", " "));
}

function mergedInto(record: string): string[] {
  return / · merges ([\d, ]+)/.exec(paragraphsOf(record)[1] ?? "")?.[1]?.match(/\d{4}/g) ?? [];
}

function seeOf(state: string): string {
  return state.slice(state.indexOf(" · see "));
}

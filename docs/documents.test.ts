import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { anchorsOf, fencesOf, isExcerpt, linksOf } from "./testing/markdown";

const root = fileURLToPath(new URL("..", import.meta.url));
const ignored = ["node_modules", ".next", "dist", ".git", ".grove", "test-results"];
const paths = await Array.fromAsync(
  glob("**/*.md", { cwd: root, exclude: (name) => ignored.includes(name) }),
);
const pages = new Map(
  await Promise.all(paths.sort().map(async (path) => [path, await read(path)] as const)),
);

function read(path: string): Promise<string> {
  return readFile(join(root, path), "utf8");
}

describe.each([...pages])("%s", (path, page) => {
  test("shows TypeScript only as it stands in a file that is tested", async () => {
    const problems = fencesOf(page)
      .filter(({ language }) => ["ts", "tsx", "typescript"].includes(language))
      .map(async ({ from, line, lines }) => {
        if (from === null) return [`line ${line} names no file`];
        if (!existsSync(join(root, from)))
          return [`line ${line} names ${from}, which is not there`];
        return isExcerpt(lines, await read(from)) ? [] : [`line ${line} is not in ${from}`];
      });
    expect((await Promise.all(problems)).flat()).toEqual([]);
  });

  test("links to files and headings that exist", () => {
    const broken = linksOf(page).filter((target) => !isExternal(target) && !leadsSomewhere(target));
    expect(broken).toEqual([]);
  });

  function leadsSomewhere(target: string): boolean {
    const [file = "", anchor] = target.split("#");
    const to = file === "" ? path : normalize(join(dirname(path), decodeURIComponent(file)));
    if (!existsSync(join(root, to))) return false;
    return anchor === undefined || anchorsOf(pages.get(to) ?? "").includes(anchor);
  }
});

function isExternal(target: string): boolean {
  return /^[a-z]+:/.test(target);
}

describe("the check itself", () => {
  const source = [
    "test(() => {",
    "  const one = 1;",
    "",
    "  if (one) {",
    "    two();",
    "  }",
    "});",
  ];

  test("takes consecutive lines, indented or not", () => {
    const file = source.join("\n");
    expect(isExcerpt(["const one = 1;", "", "if (one) {", "  two();", "}"], file)).toBe(true);
    expect(isExcerpt(["const one = 1;", "if (one) {"], file)).toBe(false);
    expect(isExcerpt(["if (one) {", "two();", "}"], file)).toBe(false);
  });

  test("reads fences with the file they come from, links and anchors", () => {
    const page = [
      "# A page: `code`, twice",
      "[x](a.md#b) `[not](this)`",
      "<!-- from: a/b.test.ts -->",
      "```ts",
      "# no heading",
      "[no](link)",
      "```",
      "## Same",
      "## Same",
    ].join("\n");
    expect(fencesOf(page)).toEqual([
      { language: "ts", from: "a/b.test.ts", line: 4, lines: ["# no heading", "[no](link)"] },
    ]);
    expect(linksOf(page)).toEqual(["a.md#b"]);
    expect(anchorsOf(page)).toEqual(["a-page-code-twice", "same", "same-1"]);
  });
});

/** A block of code in a page. `line` counts from 1. */
export interface Fence {
  readonly language: string;
  readonly lines: readonly string[];
  /** The file named by a comment `<!-- from: path -->` on the line above; `null` without one. */
  readonly from: string | null;
  readonly line: number;
}

/** The blocks of code of a page. */
export function fencesOf(page: string): Fence[] {
  const lines = page.split("\n");
  const marks = lines.flatMap((text, index) => (/^\s*```/.test(text) ? [index] : []));
  return marks.flatMap((open, index) => {
    if (index % 2 === 1) return [];
    const [, language = ""] = /```(\w*)/.exec(lines[open] ?? "") ?? [];
    const [, from = null] = /^\s*<!-- from: (\S+) -->$/.exec(lines[open - 1] ?? "") ?? [];
    return [{ language, from, line: open + 1, lines: lines.slice(open + 1, marks[index + 1]) }];
  });
}

/** Link targets of a page, images included, except in code. */
export function linksOf(page: string): string[] {
  const links = withoutFences(page)
    .replace(/`[^`\n]*`/g, "")
    .matchAll(/\]\(<?([^)\s>]+)>?\)/g);
  return [...links].map(([, target = ""]) => target);
}

/**
 * The anchors of a page's headings, as GitHub makes them.
 *
 * @see https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links
 */
export function anchorsOf(page: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutFences(page).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = ""]) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/** True when the lines are consecutive in a file, apart from common indentation. */
export function isExcerpt(lines: readonly string[], file: string): boolean {
  const excerpt = dedent(lines);
  const source = file.split("\n");
  return source.some((_, start) => {
    const window = dedent(source.slice(start, start + lines.length));
    return window.length === excerpt.length && window.every((line, n) => line === excerpt[n]);
  });
}

function dedent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const common = Math.min(...indents);
  return lines.map((line) => line.slice(common).trimEnd());
}

function withoutFences(page: string): string {
  return page.replace(/^\s*```[\s\S]*?^\s*```/gm, "");
}

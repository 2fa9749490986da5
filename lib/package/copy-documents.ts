import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path/posix";

const readme = "lib/session/README.md";
const contents = "docs/README.md";

/** A link to a page that is not in the package becomes text. */
export async function copyDocuments(folder: string): Promise<void> {
  const [, library = ""] = (await readFile(contents, "utf8")).split(/^## /m);
  const listed = [...library.matchAll(/\]\(([\w-]+\.md)\)/g)].map(
    ([, name = ""]) => `docs/${name}`,
  );
  const targets = new Map([[readme, "README.md"], ...listed.map((path) => [path, path] as const)]);
  for (const [from, to] of targets) {
    await mkdir(join(folder, dirname(to)), { recursive: true });
    const page = await readFile(from, "utf8");
    const moved = movedPage(withoutTests(page), { from, to, targets });
    await writeFile(join(folder, to), moved);
  }
}

export function withoutTests(page: string): string {
  let column: number | null = null;
  const lines = page.split("\n").map((line) => {
    if (!line.startsWith("|")) {
      column = null;
      return line;
    }
    const [edge, between] = line.startsWith("|-") ? ["|", "|"] : ["| ", " | "];
    const cells = line.slice(edge.length, -edge.length).split(between);
    column ??= cells.indexOf("test");
    const kept = column === -1 ? cells : cells.toSpliced(column, 1);
    return `${edge}${kept.join(between)}${edge.trim().padStart(edge.length)}`;
  });
  return lines.join("\n");
}

interface DocumentMove {
  readonly from: string;
  readonly to: string;
  readonly targets: ReadonlyMap<string, string>;
}

export function movedPage(page: string, { from, to, targets }: DocumentMove): string {
  return page.replace(
    /\[([^\]]+)\]\(([^)\s#:]+)(#[^)\s]*)?\)/g,
    (_, text: string, path: string, anchor = "") => {
      const target = targets.get(join(dirname(from), path));
      if (target === undefined) return text;
      return `[${text}](${relative(dirname(to), target)}${anchor})`;
    },
  );
}

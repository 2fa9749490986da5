import { blockTitle } from "@/app/_features/memory/block-words";

export interface PromptSection {
  /** Title as in the memory panel, such as `Memory`; `null` for text before the first block. */
  readonly title: string | null;
  readonly description: string;
  /** Verbatim, ruled header included, without surrounding blank lines. */
  readonly source: string;
}

const RULE = "═".repeat(46);

/** Drops only blank lines between blocks. */
export function promptSections(prompt: string): PromptSection[] {
  if (prompt === "") return [];
  const lines = prompt.split("\n");
  const starts = lines.flatMap((_, at) => (isHeaderAt(lines, at) ? [at] : []));
  const cuts = [...new Set([0, ...starts])];
  return cuts.map((start, index) => sectionOf(lines.slice(start, cuts[index + 1] ?? lines.length)));
}

function isHeaderAt(lines: readonly string[], at: number): boolean {
  return lines[at] === RULE && lines[at + 2] === RULE && (lines[at + 1] ?? "") !== RULE;
}

function sectionOf(lines: readonly string[]): PromptSection {
  const source = lines.join("\n").replace(/\n+$/, "");
  if (!isHeaderAt(lines, 0)) return { title: null, description: "", source };
  const [, label = "", note = ""] = /^(.*?)(?:\s+([([].*))?$/.exec(lines[1] ?? "") ?? [];
  const [, description = ""] = /^\((.*)\)(?: \[[^\]]*\])*$/.exec(note) ?? [];
  return { title: blockTitle(label.toLocaleLowerCase("en")), description, source };
}

/** One block of the frozen prompt. */
export interface PromptSection {
  /** The header's first words, such as `MEMORY`; `null` for text before the first block. */
  readonly title: string | null;
  /** The rest of the header: description, percentage, kind. */
  readonly note: string;
  /** Exactly as the model gets it, the ruled header included, without the blank lines that divide blocks. */
  readonly source: string;
}

const RULE = "═".repeat(46);

/** Cuts a rendered prompt into its blocks, at the ruled headers; nothing but blank lines between them is left out. */
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
  if (!isHeaderAt(lines, 0)) return { title: null, note: "", source };
  const [, title, note] = /^(.*?)(?:\s+([([].*))?$/.exec(lines[1] ?? "") ?? [];
  return { title: title ?? "", note: note ?? "", source };
}

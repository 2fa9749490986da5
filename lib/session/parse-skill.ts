export interface ParsedSkill {
  readonly title: string;
  readonly description: string | null;
  readonly content: string;
}

/**
 * Values may be plain, quoted, continued on indented lines, or block scalars (`|`, `>`). Without front matter the first
 * heading is the title, else `fallbackTitle`.
 *
 * @see https://agentskills.io/specification
 */
export function parseSkill(text: string, fallbackTitle: string): ParsedSkill {
  const { frontMatter, body } = splitFrontMatter(text.replace(/^\uFEFF/, ""));
  const fields = readFields(frontMatter);
  const content = body.trim();
  return {
    title: fields.get("name") || firstHeading(content) || fallbackTitle,
    description: fields.get("description") || null,
    content,
  };
}

function splitFrontMatter(text: string): { frontMatter: string[]; body: string } {
  const lines = text.split(/\r\n|\r|\n/);
  const end = lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)\s*$/.test(line));
  if (!/^---\s*$/.test(lines[0] ?? "") || end < 0) return { frontMatter: [], body: text };
  return { frontMatter: lines.slice(1, end), body: lines.slice(end + 1).join("\n") };
}

function readFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const end = unindentedAfter(lines, at);
    const [, name, value] = /^([\w-]+):(?:\s+(.*))?$/.exec(line) ?? [];
    if (name)
      fields.set(name.toLowerCase(), readValue(value?.trim() ?? "", lines.slice(at + 1, end)));
    at = end;
  }
  return fields;
}

function unindentedAfter(lines: readonly string[], at: number): number {
  let next = at + 1;
  while (next < lines.length && !/^\S/.test(lines[next] ?? "")) next++;
  return next;
}

function readValue(value: string, continued: readonly string[]): string {
  if (/^\|[+-]?\d?$/.test(value)) return dedent(continued).join("\n").trim();
  const folded = /^>[+-]?\d?$/.test(value) ? [] : [value];
  return unquote([...folded, ...dedent(continued)].join(" ").replace(/\s+/g, " ").trim());
}

function dedent(lines: readonly string[]): string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const indent = filled.reduce(
    (least, line) => Math.min(least, line.length - line.trimStart().length),
    Number.POSITIVE_INFINITY,
  );
  return lines.map((line) => line.slice(indent));
}

function unquote(value: string): string {
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  if (double !== undefined) return double.replace(/\\n/g, "\n").replace(/\\(["\\])/g, "$1");
  const single = /^'((?:[^']|'')*)'/.exec(value)?.[1];
  if (single !== undefined) return single.replace(/''/g, "'");
  return value.replace(/\s+#.*$/, "");
}

function firstHeading(content: string): string | null {
  return /^#{1,6}\s+(.+?)\s*#*$/m.exec(content)?.[1] ?? null;
}

const projectFilter = /(?<=^|\s)project:(?:"([^"]*)"?|(\S*))/i;

/** Takes `project:name` or `project:"two words"` out of a line; `project` is null without one. */
export function askedProject(input: string): { project: string | null; line: string } {
  const line = input.replace(/[“”„]/g, '"');
  const [whole, quoted, word] = projectFilter.exec(line) ?? [];
  if (whole === undefined) return { project: null, line: input };
  return { project: (quoted ?? word ?? "").trim(), line: line.replace(whole, " ").trim() };
}

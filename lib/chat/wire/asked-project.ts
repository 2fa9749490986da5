const pieces =
  /(?<filter>(?<=^|\s)project:(?:"(?<quoted>[^"]*)"?|(?<word>[^\s"]*)))|-?(?:[a-z]+:)?"[^"]*"?/gu;

/** `project` is null without one. A phrase is text. */
export function askedProject(input: string): { project: string | null; line: string } {
  const line = input.replace(/[“”„]/g, '"');
  for (const { 0: whole, index, groups } of line.matchAll(pieces)) {
    if (groups?.filter === undefined) continue;
    const name = (groups.quoted ?? groups.word ?? "").trim();
    const rest = `${line.slice(0, index)}${line.slice(index + whole.length)}`.trim();
    return { project: name === "" ? null : name, line: rest };
  }
  return { project: null, line: input };
}

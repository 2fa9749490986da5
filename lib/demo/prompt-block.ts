const rule = "═".repeat(46);

/**
 * The content of a context block, out of a rendered system prompt.
 *
 * @returns `null` when the prompt has no such block, `""` when it is empty.
 */
export function promptBlock(system: string, label: string): string | null {
  const parts = system.split(rule);
  // A rendered block is: rule, header, rule, content; so a header is followed by its content.
  const header = parts.findIndex((part) => new RegExp(`^\\s*${label}\\b`, "i").test(part));
  return header === -1 ? null : (parts[header + 1] ?? "").trim();
}

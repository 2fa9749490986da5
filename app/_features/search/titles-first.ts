/**
 * Lists sessions above messages when the few words typed begin a title. A longer line, or one with quotes or filters,
 * is a full-text search, and Enter should open its best hit.
 */
export function titlesFirst(query: string, titles: readonly string[]): boolean {
  const asked = query.trim().toLowerCase();
  if (asked === "" || /["“”„:]|(^|\s)-\S/.test(asked)) return false;
  if (asked.split(/\s+/).length > 3) return false;
  return titles.some((title) => title.toLowerCase().startsWith(asked));
}

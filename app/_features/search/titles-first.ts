/**
 * A few words that begin a title look for a session; a longer line, quotes or filters are a full-text search, whose
 * best hit Enter should open.
 */
export function titlesFirst(query: string, titles: readonly string[]): boolean {
  const asked = query.trim().toLowerCase();
  if (asked === "" || /["“”„:]|(^|\s)-\S/.test(asked)) return false;
  if (asked.split(/\s+/).length > 3) return false;
  return titles.some((title) => title.toLowerCase().startsWith(asked));
}

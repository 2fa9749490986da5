/**
 * Whether sessions stand above what was said in them: when the few words typed begin a title. A longer line, or one with
 * quotes or filters, is a search for text, and its best hit is what Enter should open.
 */
export function titlesFirst(query: string, titles: readonly string[]): boolean {
  const asked = query.trim().toLowerCase();
  if (asked === "" || /["“”„:]|(^|\s)-\S/.test(asked)) return false;
  if (asked.split(/\s+/).length > 3) return false;
  return titles.some((title) => title.toLowerCase().startsWith(asked));
}

/** Leaves the page's elements unchanged, because React owns them. `null` where the browser has no highlights. */
export function beginHighlight(name: string): { ranges: Highlight; end: () => void } | null {
  if (!("highlights" in CSS)) return null;
  const ranges = new Highlight();
  CSS.highlights.set(name, ranges);
  // The page's CSS cannot hold this rule: its compiler takes the name for a typing error.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`::highlight(${name}) { background-color: var(--mark); color: var(--ink); }`);
  document.adoptedStyleSheets.push(sheet);
  return {
    ranges,
    end() {
      CSS.highlights.delete(name);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    },
  };
}

/** Pixels from which a prefix of Tailwind's counts. */
const widths: Readonly<Record<string, number>> = {
  sm: 640,
  md: 768,
  lg: 1024,
  xl: 1280,
  "2xl": 1536,
};

/**
 * Reads the classes, `style` and `hidden` of an element, on a screen of this width. A DOM without layout needs no more than
 * `display` and `visibility`, and applying a whole sheet would take most of the time of a story.
 */
export function styleOf(element: Element, width: number): CSSStyleDeclaration {
  const inline = (element as Partial<HTMLElement>).style;
  const read = (name: string): string => {
    if (name === "display") return inline?.display || displayOf(element, width);
    if (name === "visibility") return inline?.visibility || visibilityOf(element, width);
    return inline?.getPropertyValue(name) ?? "";
  };
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_, name) => {
      if (name === "getPropertyValue") return read;
      return typeof name === "string" ? read(dashed(name)) : undefined;
    },
  });
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function displayOf(element: Element, width: number): string {
  if (element.hasAttribute("hidden")) return "none";
  return said(element, width, shows) === "hidden" ? "none" : "block";
}

function visibilityOf(element: Element, width: number): string {
  for (let each: Element | null = element; each; each = each.parentElement) {
    const name = said(each, width, seen);
    if (name) return name === "visible" ? "visible" : "hidden";
  }
  return "visible";
}

const shows = /^((inline-)?(block|flex|grid)|inline|contents|hidden)$/;
const seen = /^(in)?visible$/;

interface Utility {
  readonly name: string;
  readonly prefixes: readonly string[];
  readonly rank: number;
}

const parsed = new Map<string, readonly Utility[]>();

/** The last of these utilities whose prefixes hold: those for wider screens come later. */
function said(element: Element, width: number, kind: RegExp): string | undefined {
  const classes = element.getAttribute("class") ?? "";
  // Most elements neither hide nor are hidden.
  if (!/hidden|invisible/.test(classes)) return undefined;
  const utilities = parsed.get(classes) ?? parse(classes);
  parsed.set(classes, utilities);
  return utilities.findLast(
    ({ name, prefixes }) =>
      kind.test(name) && prefixes.every((prefix) => holds(prefix, element, width)),
  )?.name;
}

function parse(classes: string): readonly Utility[] {
  const found = classes.split(/\s+/).map((token): Utility => {
    const [name = "", ...prefixes] = token.split(/:(?![^[]*\])/).toReversed();
    const ranks = prefixes.map((prefix) => widths[prefix] ?? 1);
    return { name, prefixes, rank: Math.max(0, ...ranks) + prefixes.length };
  });
  return found.sort((one, other) => one.rank - other.rank);
}

function holds(prefix: string, element: Element, width: number): boolean {
  const least = widths[prefix.replace(/^max-/, "")];
  if (least !== undefined) return prefix.startsWith("max-") ? width < least : width >= least;
  const [, around, name, value] = /^(in-)?data-\[([\w-]+)=([\w-]+)\]$/.exec(prefix) ?? [];
  if (name === undefined) return false;
  const selector = `[data-${name}="${value}"]`;
  return around ? element.closest(selector) !== null : element.matches(selector);
}

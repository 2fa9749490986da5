import { createMathPlugin } from "@streamdown/math";
import katex from "katex";
import type { MathPlugin } from "streamdown";

const KEPT_FORMULAS = 1_000;
/** In `em`: no formula may draw a rule over the page. */
const MAX_SIZE = 40;

// Single dollars stay money.
const { remarkPlugin, ...plugin } = createMathPlugin({ singleDollarTextMath: false });

/**
 * Finds formulas in Markdown and leaves them as the code elements they are parsed to, for `Formula` to show. The
 * package's own second half turns what KaTeX wrote into a tree and that into one React element for each of the hundred
 * parts of a formula, which took 25 times as long as KaTeX itself.
 */
export const math: MathPlugin = {
  ...plugin,
  remarkPlugin,
  rehypePlugin: function formulasStayCode() {
    return undefined;
  },
};

const known = new Map<string, string>();

/** The formula as HTML with MathML beside it for screen readers; `null` when KaTeX cannot cope with it at all. */
export function formulaHtml(
  source: string,
  options: { readonly isDisplay: boolean },
): string | null {
  const key = `${options.isDisplay ? "d" : "i"}${source}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const html = typeset(source, options.isDisplay);
  if (html === null) return null;
  const oldest = known.keys().next().value;
  if (known.size >= KEPT_FORMULAS && oldest !== undefined) known.delete(oldest);
  known.set(key, html);
  return html;
}

/** Every text in the HTML is escaped, and commands that make links, classes or pictures are off. */
function typeset(source: string, displayMode: boolean): string | null {
  try {
    return katex.renderToString(source, {
      displayMode,
      maxSize: MAX_SIZE,
      throwOnError: false,
      trust: false,
      errorColor: "var(--danger)",
    });
  } catch {
    // Besides its own parse errors, which it shows in place, KaTeX throws on a few inputs that it does not expect.
    return null;
  }
}

import katex from "katex";
import { mathFromMarkdown } from "mdast-util-math";
import { math } from "micromark-extension-math";
import { parserOf } from "./parse-markdown";

const KEPT_FORMULAS = 1_000;
/** Size in `em` that keeps a formula from drawing a rule over the page. */
const MAX_SIZE = 40;

// Single dollars are money.
export const parseWithFormulas = parserOf({
  extensions: [math({ singleDollarTextMath: false })],
  mdastExtensions: [mathFromMarkdown()],
});

const known = new Map<string, string>();

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

/** MathML alone, which needs neither styles nor fonts. */
export function formulaMarkup(source: string, isDisplay: boolean): string | null {
  return typeset(source, isDisplay, "mathml");
}

/** Escapes text in the HTML and disables commands for links, classes and images. */
function typeset(
  source: string,
  displayMode: boolean,
  output: "htmlAndMathml" | "mathml" = "htmlAndMathml",
): string | null {
  try {
    return katex.renderToString(source, {
      displayMode,
      output,
      maxSize: MAX_SIZE,
      throwOnError: false,
      trust: false,
      errorColor: "var(--danger)",
    });
  } catch {
    // KaTeX shows parse errors in place but throws on a few unexpected inputs.
    return null;
  }
}

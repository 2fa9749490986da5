import type { CodeHighlighterPlugin, HighlightResult } from "@streamdown/code";

/** Longer code is shown in one colour: highlighting it would hold up the page. */
const MAX_HIGHLIGHTED_LENGTH = 12_000;

type CodePlugin = typeof import("@streamdown/code");
let plugin: Promise<CodeHighlighterPlugin> | null = null;

export interface HighlightRequest {
  readonly code: string;
  readonly language: string;
  readonly isIncomplete: boolean;
}

/** Colours of the beginning of a code. */
export interface ColouredCode {
  readonly tokens: HighlightResult["tokens"];
  /** The code the tokens cover. */
  readonly source: string;
}

export interface HighlightOptions {
  readonly signal: AbortSignal;
  /** Called with ever longer beginnings, at last with the whole. */
  readonly onColoured: (coloured: ColouredCode) => void;
}

/** The highlighter goes on where a shorter text ended, so steps of this size keep the page answering in between. */
const STEP_LENGTH = 1_200;

/**
 * Colours `code`, from its beginning on; the highlighter and the grammar of the language are fetched when they are first
 * needed. Nothing happens when the language is unknown, the code is too long, or the highlighter cannot be fetched.
 */
export async function highlight(
  request: HighlightRequest,
  { signal, onColoured }: HighlightOptions,
): Promise<void> {
  if (request.language === "" || request.code.length > MAX_HIGHLIGHTED_LENGTH) return;
  plugin ??= import("@streamdown/code").then(createPlugin);
  try {
    const shiki = await plugin;
    for (const end of stepEnds(request.code)) {
      const source = request.code.slice(0, end);
      const result = await highlightWith(shiki, { ...request, code: source });
      if (signal.aborted || !result) return;
      onColoured({ tokens: result.tokens, source });
      await new Promise((resolve) => setTimeout(resolve));
    }
  } catch {
    plugin = null;
  }
}

/** Ends of lines, a step apart, and the end of `code`. */
function stepEnds(code: string): readonly number[] {
  const ends: number[] = [];
  for (let end = STEP_LENGTH; end < code.length - STEP_LENGTH; end += STEP_LENGTH) {
    const lineEnd = code.indexOf("\n", end);
    if (lineEnd !== -1) ends.push(lineEnd);
  }
  return [...ends, code.length];
}

function createPlugin({ createCodePlugin }: CodePlugin): CodeHighlighterPlugin {
  return createCodePlugin({ themes: ["github-light-high-contrast", "github-dark-high-contrast"] });
}

function highlightWith(
  shiki: CodeHighlighterPlugin,
  { code, language, isIncomplete }: HighlightRequest,
): Promise<HighlightResult | null> {
  const known = shiki.getSupportedLanguages().find((name) => name === language.toLowerCase());
  if (!(known ?? shiki.supportsLanguage(language as never))) return Promise.resolve(null);
  return new Promise((resolve) => {
    const options = {
      code,
      language: (known ?? language) as Parameters<typeof shiki.highlight>[0]["language"],
      themes: shiki.getThemes(),
      isIncomplete,
    };
    const ready = shiki.highlight(options, resolve);
    if (ready) resolve(ready);
  });
}

import { createHighlighterCore, type GrammarState } from "shiki/core";
import { bundledLanguages } from "shiki/langs";
import dark from "shiki/themes/github-dark-high-contrast.mjs";
import light from "shiki/themes/github-light-high-contrast.mjs";
import type { Grammar } from "./colour-lines";
import { createCompilingEngine } from "./compiling-engine";

/** Longer lines keep one colour, because a line is coloured in one go. */
const MAX_LINE_LENGTH = 1_000;

const { engine, compile } = createCompilingEngine();
const highlighter = createHighlighterCore({ themes: [light, dark], langs: [], engine });
const themes = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" };
const languages: Readonly<Record<string, (typeof bundledLanguages)["ts"]>> = bundledLanguages;

/** `null` for an unknown language. */
export async function grammarOf(language: string): Promise<Grammar | null> {
  const lang = language.toLowerCase();
  const load = Object.hasOwn(languages, lang) ? languages[lang] : undefined;
  if (!load) return null;
  const shiki = await highlighter;
  await shiki.loadLanguage(load);
  return {
    compile,
    colour(line: string, state: GrammarState | undefined) {
      const { tokens, grammarState } = shiki.codeToTokens(line, {
        lang,
        themes,
        tokenizeMaxLineLength: MAX_LINE_LENGTH,
        ...(state && { grammarState: state }),
      });
      return { tokens: tokens[0] ?? [], state: grammarState };
    },
  };
}

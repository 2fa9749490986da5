import { createHighlighterCore, type GrammarState, type RegexEngine } from "shiki/core";
import {
  createJavaScriptRegexEngine,
  defaultJavaScriptRegexConstructor,
} from "shiki/engine/javascript";
import { bundledLanguages } from "shiki/langs";
import dark from "shiki/themes/github-dark-high-contrast.mjs";
import light from "shiki/themes/github-light-high-contrast.mjs";
import { type Grammar, PatternsMissingError } from "./colour-lines";

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

interface CompilingEngine {
  /** @throws {PatternsMissingError} for patterns not compiled. */
  readonly engine: RegexEngine;
  /** A pattern that cannot be compiled is skipped from then on. */
  readonly compile: (pattern: string) => void;
}

/**
 * Shiki's own engine compiles all patterns a place may need at once, a hundred and more (TypeScript: 160 ms in Node at
 * full speed); this one reports the missing ones, to be compiled between other work.
 */
export function createCompilingEngine(): CompilingEngine {
  const compiled = new Map<string, RegExp | Error>();
  const inner = createJavaScriptRegexEngine({ forgiving: true, cache: compiled });
  return {
    engine: {
      createString: inner.createString,
      createScanner(patterns) {
        const missing = new Set<string>();
        for (const pattern of patterns) {
          if (typeof pattern === "string" && !compiled.has(pattern)) missing.add(pattern);
        }
        if (missing.size > 0) throw new PatternsMissingError([...missing]);
        return inner.createScanner(patterns);
      },
    },
    compile(pattern) {
      try {
        compiled.set(pattern, defaultJavaScriptRegexConstructor(pattern));
      } catch (error) {
        compiled.set(pattern, error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
}

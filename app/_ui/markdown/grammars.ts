import {
  codeToTokensBase,
  createShikiPrimitive,
  getLastGrammarStateFromMap,
} from "@shikijs/primitive";
import {
  createJavaScriptRegexEngine,
  defaultJavaScriptRegexConstructor,
} from "shiki/engine/javascript";
import type { DynamicImportLanguageRegistration, GrammarState, RegexEngine } from "shiki/types";
import { codeTheme } from "./code-theme";
import { type Grammar, PatternsMissingError } from "./colour-lines";
import { grammarsNamed } from "./other-grammars";

/** Longer lines keep one colour, because a line is coloured in one go. */
const MAX_LINE_LENGTH = 1_000;
/** A first line takes a slow machine longer than Shiki's half second, which would leave its rest in one colour. */
const MAX_LINE_MS = 2_000;

const { engine, compile } = createCompilingEngine();
const shiki = createShikiPrimitive({ themes: [codeTheme], langs: [], engine });

const css = () => import("shiki/langs/css.mjs");
const html = () => import("shiki/langs/html.mjs");
const javascript = () => import("shiki/langs/javascript.mjs");
const json = () => import("shiki/langs/json.mjs");
const jsx = () => import("shiki/langs/jsx.mjs");
const markdown = () => import("shiki/langs/markdown.mjs");
const python = () => import("shiki/langs/python.mjs");
const shell = () => import("shiki/langs/shellscript.mjs");
const sql = () => import("shiki/langs/sql.mjs");
const tsx = () => import("shiki/langs/tsx.mjs");
const typescript = () => import("shiki/langs/typescript.mjs");
const yaml = () => import("shiki/langs/yaml.mjs");

type Load = DynamicImportLanguageRegistration;

/** Usual languages need no list of all first. */
const usual: ReadonlyMap<string, Load | null> = new Map<string, Load | null>([
  ...(["text", "txt", "plain", "plaintext"] as const).map((name) => [name, null] as const),
  ...(["js", "javascript", "mjs", "cjs"] as const).map((name) => [name, javascript] as const),
  ...(["ts", "typescript", "mts", "cts"] as const).map((name) => [name, typescript] as const),
  ...(["bash", "sh", "shell", "shellscript", "zsh"] as const).map((name) => [name, shell] as const),
  ...(["py", "python"] as const).map((name) => [name, python] as const),
  ...(["md", "markdown"] as const).map((name) => [name, markdown] as const),
  ...(["yml", "yaml"] as const).map((name) => [name, yaml] as const),
  ["css", css],
  ["html", html],
  ["json", json],
  ["jsx", jsx],
  ["sql", sql],
  ["tsx", tsx],
]);

export async function grammarOf(language: string): Promise<Grammar | null> {
  const name = language.toLowerCase();
  const load = usual.get(name);
  if (load === null) return null;
  const registrations = load ? (await load()).default : await grammarsNamed(name);
  if (registrations.length === 0) return null;
  shiki.loadLanguageSync([...registrations]);
  const lang = registrations.at(-1)?.name ?? name;
  return {
    compile,
    colour(line: string, state: GrammarState | undefined) {
      const tokens = codeToTokensBase(shiki, line, {
        lang,
        theme: "grove",
        tokenizeMaxLineLength: MAX_LINE_LENGTH,
        tokenizeTimeLimit: MAX_LINE_MS,
        ...(state && { grammarState: state }),
      });
      return { tokens: tokens[0] ?? [], state: getLastGrammarStateFromMap(tokens) };
    },
  };
}

interface CompilingEngine {
  readonly engine: RegexEngine;
  /** An uncompilable pattern is skipped from then on. */
  readonly compile: (pattern: string) => void;
}

/**
 * Shiki's own engine compiles a place's patterns at once, a hundred and more (TypeScript: 160 ms in Node at full
 * speed); this one reports missing ones, to be compiled between other work.
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

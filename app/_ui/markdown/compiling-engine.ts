import type { RegexEngine } from "shiki/core";
import {
  createJavaScriptRegexEngine,
  defaultJavaScriptRegexConstructor,
} from "shiki/engine/javascript";
import { PatternsMissingError } from "./patterns-missing-error";

export interface CompilingEngine {
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

import type { RegexEngine } from "shiki/core";
import {
  createJavaScriptRegexEngine,
  defaultJavaScriptRegexConstructor,
} from "shiki/engine/javascript";
import { PatternsMissingError } from "./patterns-missing-error";

export interface CompilingEngine {
  /** Finds with patterns that are compiled. @throws {PatternsMissingError} for any others. */
  readonly engine: RegexEngine;
  /** Makes `pattern` ready for use; one that cannot be compiled is left out from then on. */
  readonly compile: (pattern: string) => void;
}

/**
 * The highlighter's engine, but for when patterns are compiled: by itself it compiles all that a place in the code may
 * need when it first comes there, a hundred and more in one go (TypeScript: 160 ms in Node, not slowed down). This one
 * tells which are missing, so that they can be compiled between other work.
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

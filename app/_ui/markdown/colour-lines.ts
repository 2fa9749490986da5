import type { GrammarState, ThemedToken } from "shiki/types";

export type ColouredLine = readonly ThemedToken[];

export interface ColouredCode {
  readonly source: string;
  readonly lines: readonly ColouredLine[];
  readonly state: GrammarState | undefined;
}

interface LineColours {
  readonly tokens: ColouredLine;
  readonly state: GrammarState | undefined;
}

export interface Grammar {
  /** @throws {PatternsMissingError} when patterns it needs are not compiled. */
  readonly colour: (line: string, state: GrammarState | undefined) => LineColours;
  readonly compile: (pattern: string) => void;
}

export interface ColourOptions {
  readonly grammar: Grammar;
  readonly known: ColouredCode | null;
}

const nothing: ColouredCode = { source: "", lines: [], state: undefined };

/** Yields after each line or compiled pattern, so that the caller decides how much is done at once. */
export function* colourLines(
  code: string,
  { grammar, known }: ColourOptions,
): Generator<ColouredCode, void> {
  let done = known && code.startsWith(known.source) ? completeLinesOf(known) : nothing;
  while (done.source.length < code.length) {
    const start = done.source.length;
    const end = code.indexOf("\n", start);
    const isLast = end === -1;
    const line = code.slice(start, isLast ? code.length : end);
    const found = colourOrMissing(grammar, { line, state: done.state });
    if ("missing" in found) {
      for (const pattern of found.missing) {
        grammar.compile(pattern);
        yield done;
      }
      continue;
    }
    done = {
      source: isLast ? code : code.slice(0, end + 1),
      lines: [...done.lines, found.tokens],
      state: isLast ? done.state : found.state,
    };
    yield done;
  }
}

function colourOrMissing(
  grammar: Grammar,
  { line, state }: { readonly line: string; readonly state: GrammarState | undefined },
): LineColours | { readonly missing: readonly string[] } {
  try {
    return grammar.colour(line, state);
  } catch (error) {
    if (error instanceof PatternsMissingError) return { missing: error.patterns };
    throw error;
  }
}

function completeLinesOf(known: ColouredCode): ColouredCode {
  if (known.source === "" || known.source.endsWith("\n")) return known;
  const source = known.source.slice(0, known.source.lastIndexOf("\n") + 1);
  return { source, lines: known.lines.slice(0, -1), state: known.state };
}

export class PatternsMissingError extends Error {
  constructor(readonly patterns: readonly string[]) {
    super(`${patterns.length} patterns of a grammar are not compiled yet.`);
    this.name = "PatternsMissingError";
  }
}

import { type QueryPhrase, termsLike } from "../../session/internal";
import type { SearchQuery } from "../../session/ports";
import type { Sql } from "../connections/sql";

const maxCandidates = 300;
/** The words take about 50 ms; the sweep learns the rest. */
const learnedAtOnce = 2_000;

/** Counts the words of an owner that are new, `most` messages at a time. Returns true when none is left. */
export async function learnWords(
  sql: Sql,
  { ownerId, most }: { ownerId: string; most: number },
): Promise<boolean> {
  const [row] = await sql<[{ is_complete: boolean }]>`
    select chat_learn_words(${ownerId}, ${most}) as is_complete`;
  return row.is_complete;
}

/** Corrects words the owner never used; `null` when there are none. Trigrams on messages would need a scan. */
export async function correctQuery(
  sql: Sql,
  owner: string,
  query: SearchQuery,
): Promise<SearchQuery | null> {
  const asked = query.phrases.filter((phrase) => !phrase.negated).flatMap(wordsOf);
  if (asked.length === 0) return null;
  await learnWords(sql, { ownerId: owner, most: learnedAtOnce });
  const meant = await meantWords(sql, owner, asked);
  if (meant.size === 0) return null;
  return {
    ...query,
    phrases: query.phrases.map((phrase) => ({
      ...phrase,
      terms: phrase.terms.map((terms) => {
        const word = meant.get(terms[0] ?? "");
        return word === undefined ? terms : termsLike(word);
      }),
      prefix: wordsOf(phrase).some((word) => meant.has(word)) ? null : phrase.prefix,
    })),
  };
}

function wordsOf(phrase: QueryPhrase): string[] {
  return phrase.terms.flatMap(([term]) => term ?? []);
}

/**
 * Trigrams find similar words, a common first letter short ones with swapped letters. Reading a vocabulary of 8,000
 * took 22 ms per unknown word.
 */
async function meantWords(
  sql: Sql,
  owner: string,
  asked: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ word: string; candidates: string[] }[]>`
    with wanted as materialized (
      select wanted.word, left(wanted.word, 1) || '%' as beginning
      from unnest(${asked as string[]}::text[]) wanted (word)
      where not exists (
        select from chat_word known where known.owner_id = ${owner} and known.word = wanted.word
      )
    )
    select wanted.word, array_agg(candidate.word order by candidate.likeness desc, candidate.word) as candidates
    from wanted
    cross join lateral (
      select known.word, similarity(known.word, wanted.word) as likeness
      from chat_word known
      where known.owner_id = ${owner}
        and abs(length(known.word) - length(wanted.word)) <= 2
        and (known.word like wanted.beginning or known.word % wanted.word)
      order by likeness desc, known.word
      limit ${maxCandidates}
    ) candidate
    group by wanted.word`;
  return new Map(
    rows.flatMap(({ word, candidates }) => {
      const meant = nearestWord(word, candidates);
      return meant === null ? [] : [[word, meant] as const];
    }),
  );
}

/** `null` when none is close enough: short words may have one error, longer ones two. */
export function nearestWord(word: string, candidates: readonly string[]): string | null {
  const allowed = word.length < 5 ? 1 : 2;
  let nearest: string | null = null;
  let fewest = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    const errors = typingErrors(word, candidate);
    if (errors < fewest) {
      fewest = errors;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Optimal string alignment distance. @see https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance */
export function typingErrors(first: string, second: string): number {
  const from = [...first];
  const to = [...second];
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const missed = (previous[column + 1] ?? 0) + 1;
      const added = (current[column] ?? 0) + 1;
      const isSwap = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other;
      const swapped = isSwap ? (beforePrevious[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(replaced, missed, added, swapped));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

import type { Sql } from "postgres";
import { type QueryPhrase, type SearchQuery, termsLike } from "@/lib/session";
import { nearestWord } from "./nearest-word";

const maxCandidates = 300;
/** About 50 ms, which a person who types can wait; the rest is learned meanwhile. */
const learnedAtOnce = 2_000;

/**
 * Adds the words of the next `most` texts written since to the owner's vocabulary, so that a search need not.
 * @returns whether the vocabulary is up to date.
 */
export async function learnWords(
  sql: Sql,
  { ownerId, most }: { ownerId: string; most: number },
): Promise<boolean> {
  const [row] = await sql<[{ is_complete: boolean }]>`
    select chat_learn_words(${ownerId}, ${most}) as is_complete`;
  return row.is_complete;
}

/**
 * The query with every word the owner never used replaced by the one that was most likely meant; `null` when there is
 * nothing to correct. Searching a vocabulary keeps trigrams off the messages, where they would cost a scan.
 */
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

/** Of each word the term that every text with it has. */
function wordsOf(phrase: QueryPhrase): string[] {
  return phrase.terms.flatMap(([term]) => term ?? []);
}

/**
 * Trigrams find words that share a stretch; the same beginning finds short ones with two letters swapped. Both are looked
 * up in the index of trigrams, and only for words the owner never used: read in full for every word, a vocabulary of 8,000
 * took 22 ms each.
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

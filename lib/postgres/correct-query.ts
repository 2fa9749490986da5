import type { Sql } from "postgres";
import { type QueryPhrase, type SearchQuery, termsLike } from "@/lib/session";
import { nearestWord } from "./nearest-word";

const maxCandidates = 300;

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
  await sql`select chat_learn_words(${owner})`;
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

/** Trigrams find words that share a stretch; the same beginning finds short ones with two letters swapped. */
async function meantWords(
  sql: Sql,
  owner: string,
  asked: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ word: string; candidates: string[] }[]>`
    select wanted.word, array_agg(candidate.word order by candidate.likeness desc, candidate.word) as candidates
    from unnest(${asked as string[]}::text[]) wanted (word)
    cross join lateral (
      select known.word, similarity(known.word, wanted.word) as likeness
      from chat_word known
      where known.owner_id = ${owner}
        and (known.word % wanted.word or left(known.word, 1) = left(wanted.word, 1))
        and abs(length(known.word) - length(wanted.word)) <= 2
      order by likeness desc, known.word
      limit ${maxCandidates}
    ) candidate
    where not exists (
      select from chat_word known where known.owner_id = ${owner} and known.word = wanted.word
    )
    group by wanted.word`;
  return new Map(
    rows.flatMap(({ word, candidates }) => {
      const meant = nearestWord(word, candidates);
      return meant === null ? [] : [[word, meant] as const];
    }),
  );
}

"use client";

import { Failure } from "@/app/_api/failure";
import type { useSearch, useSearchElsewhere } from "@/app/_data/search/use-search";
import { EmptyState } from "@/app/_ui/notice";
import type { ElsewhereWire, SearchWire } from "@/lib/chat/wire/search";

export interface PaletteStatusProps {
  query: string;
  onQuery: (query: string) => void;
  search: ReturnType<typeof useSearch>;
  elsewhere: ReturnType<typeof useSearchElsewhere>;
  limit: number;
  isSettled: boolean;
  hasActions: boolean;
}

export function PaletteStatus({
  query,
  onQuery,
  search,
  elsewhere,
  limit,
  isSettled,
  hasActions,
}: PaletteStatusProps) {
  if (query.trim() === "") return null;
  if (search.isError) {
    return <Failure of={search} className="mx-2 mt-2" />;
  }
  const found = search.isEnabled ? search.data : elsewhere.data && nothingHere;
  const places = elsewhere.data?.places ?? [];
  const problems = [...(found?.problems ?? []), ...(elsewhere.data?.problems ?? [])];
  return (
    <>
      {/* An empty status keeps results under the pointer. */}
      <p className="min-h-[calc(0.75rem+1lh)] px-4.5 pt-3 text-faint text-xs">
        <span role="status">{isSettled && found && sentenceOf(found, places, limit)}</span>
        {isSettled && found && found.corrected !== null && (
          <>
            {" for "}
            <button
              type="button"
              className="font-medium text-accent underline underline-offset-2"
              onClick={() => onQuery(found.corrected ?? query)}
            >
              {found.corrected}
            </button>
          </>
        )}
      </p>
      {found && !found.isBlank && problems.length > 0 && (
        <ul aria-label="About this search" className="px-4.5 pt-3 text-sm text-warn">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {elsewhere.isError && <Failure of={elsewhere} className="mx-2 mt-2" />}
      {isSettled && found && !hasActions && !elsewhere.isError && (
        <Nothing query={query} found={found} places={places} />
      )}
    </>
  );
}

function countOf({ hits, sessions, documents, files }: SearchWire): number {
  return hits.length + sessions.length + documents.length + files.length;
}

const nothingHere: SearchWire = {
  ...{ hits: [], sessions: [], documents: [], files: [] },
  ...{ corrected: null, isBlank: false, problems: [] },
};

function sentenceOf(
  { hits, sessions, documents, files, corrected }: SearchWire,
  places: ElsewhereWire["places"],
  limit: number,
) {
  const few = (count: number, most: number) => `${count}${count >= most ? "+" : ""}`;
  const parts = [
    hits.length > 0 && `${few(hits.length, limit)} in messages`,
    sessions.length > 0 && `${few(sessions.length, mostTitles)} in titles`,
    files.length > 0 && `${few(files.length, mostDocuments)} in files`,
    documents.length > 0 && `${few(documents.length, mostDocuments)} in memory`,
    places.length > 0 && `some in ${places.map(({ name }) => name ?? "My chats").join(", ")}`,
  ];
  const found = parts.filter((part) => part !== false);
  const sentence = found.length === 0 ? "No results" : `Found ${found.join(", ")}`;
  return corrected === null ? sentence : `No exact matches. ${sentence}`;
}

// Limits of the server.
const mostTitles = 50;
const mostDocuments = 8;

interface NothingProps {
  query: string;
  found: SearchWire;
  places: ElsewhereWire["places"];
}

function Nothing({ query, found, places }: NothingProps) {
  if (countOf(found) + places.length > 0) return null;
  if (found.isBlank) {
    return <EmptyState title="Nothing to search for yet">{found.problems.join(" ")}</EmptyState>;
  }
  return (
    <EmptyState title={`No results for “${query.trim()}”`}>
      {found.problems.length === 0 &&
        "Try fewer or different words. Every branch, summary and memory was searched."}
    </EmptyState>
  );
}

"use client";

/** Filters as shown, and the text they insert. */
const operators = [
  { shown: "“exact words”", written: '""' },
  { shown: "-without", written: "-" },
  { shown: "role:user", written: "role:user " },
  { shown: "tag:name", written: "tag:" },
  { shown: "in:title", written: "in:" },
  { shown: "before:2026-01", written: "before:" },
  { shown: "after:2026-01", written: "after:" },
] as const;

/** Starts a search with a filter. */
export function PaletteOperators({ onChoose }: { onChoose: (text: string) => void }) {
  return (
    <fieldset className="flex shrink-0 flex-wrap gap-1.5 border-line border-t px-4.5 py-2.5">
      <legend className="sr-only">Search filters</legend>
      {operators.map(({ shown, written }) => (
        <button
          key={shown}
          type="button"
          onClick={() => onChoose(written)}
          className="h-6 pointer-coarse:h-9 rounded-full border border-line pointer-coarse:px-3.5 px-2.5 text-muted text-xs transition-colors hover:bg-hover hover:text-ink"
        >
          {shown}
        </button>
      ))}
    </fieldset>
  );
}

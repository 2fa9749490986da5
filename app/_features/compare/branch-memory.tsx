import { targetName } from "@/app/_features/memory/proposals/write-words";
import type { MemoryChangeWire } from "@/lib/chat/wire/branches";

/** A branch's memory writes, line by line. */
export function BranchMemory({ changes }: { changes: readonly MemoryChangeWire[] }) {
  if (changes.length === 0) return null;
  return (
    <div className="mt-4 border-line border-t pt-3">
      <h4 className="font-medium text-sm">Memory changes</h4>
      <ul>
        {changes.map((change) => (
          <li key={`${change.label}/${change.key ?? ""}/${change.version}`} className="mt-2">
            <p className="text-muted text-sm">{targetName(change)}</p>
            <ChangedLines change={change} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ChangedLines({ change: { added, removed } }: { change: MemoryChangeWire }) {
  if (added === null || removed === null) {
    return <p className="text-faint text-xs">The text of this version is no longer available.</p>;
  }
  return (
    <div className="mt-1 overflow-hidden rounded-md border border-line bg-raised py-1 text-sm">
      {removed.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place
        <Line key={`removed ${at}`} kind="removed" text={line} />
      ))}
      {added.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place
        <Line key={`added ${at}`} kind="added" text={line} />
      ))}
    </div>
  );
}

const looks = {
  added: { mark: "+", spoken: "Added: ", color: "bg-accent-soft" },
  removed: { mark: "−", spoken: "Removed: ", color: "bg-danger-soft" },
} as const;

function Line({ kind, text }: { kind: keyof typeof looks; text: string }) {
  const { mark, spoken, color } = looks[kind];
  return (
    <p className={`flex px-3 text-ink ${color}`}>
      <span aria-hidden className="w-4 shrink-0 select-none">
        {mark}
      </span>
      <span className="sr-only">{spoken}</span>
      <span dir="auto" className="wrap-anywhere min-w-0 flex-1 whitespace-pre-wrap">
        {text || "\u00A0"}
      </span>
    </p>
  );
}

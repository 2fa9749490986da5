"use client";

import { Button } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { countOf } from "@/app/_ui/format-amount";
import type { BranchWire } from "@/lib/chat/wire/branches";
import { BranchMemory } from "./branch-memory";
import { ComparedMessage } from "./compared-message";
import { ContinueHere } from "./continue-here";
import { type Side, sideNames } from "./side";
import type { WordDiff } from "./word-diff";

export interface BranchColumnProps {
  readonly sessionId: string;
  readonly side: Side;
  readonly branch: BranchWire;
  readonly diffs: readonly (WordDiff | "unlike" | null)[];
  /** Rows both columns share, so that messages beside each other begin at the same height. */
  readonly rowCount: number;
  readonly isReadingMore: boolean;
  readonly onMore: () => void;
  /** On a phone, where the other branch is in view. */
  readonly isHidden: boolean;
}

/** One branch, from where it parts to its end. */
export function BranchColumn(props: BranchColumnProps) {
  const { sessionId, side, branch, diffs, rowCount, isHidden, isReadingMore, onMore } = props;
  const { entries, messageCount, leafId } = branch;
  const rest = messageCount - entries.length;
  return (
    <section
      aria-label={sideNames[side]}
      className={classNames(
        "min-w-0 md:grid md:grid-rows-subgrid",
        isHidden && "hidden",
        side === "right" && "md:border-line md:border-l md:pl-8",
      )}
      style={{ gridRow: `span ${rowCount}` }}
    >
      <header className="flex items-center justify-between gap-3 pb-2">
        <h3 className="font-semibold text-sm">{sideNames[side]}</h3>
        <ContinueHere sessionId={sessionId} leafId={leafId} side={side} />
      </header>
      {entries.map((entry, index) => (
        <ComparedMessage
          key={entry.message.id}
          sessionId={sessionId}
          entry={entry}
          side={side}
          diff={diffs[index] ?? null}
        />
      ))}
      <footer style={{ gridRow: rowCount }}>
        {messageCount === 0 && (
          <p className="py-6 text-muted text-sm">
            It ends where the two part: there is nothing after the message they share.
          </p>
        )}
        {rest > 0 && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-4">
            <p className="text-muted text-sm">{countOf(rest, "more message")} not shown.</p>
            <Button size="sm" busy={isReadingMore} onClick={onMore}>
              Show more
            </Button>
          </div>
        )}
        <BranchMemory changes={branch.memory} />
      </footer>
    </section>
  );
}

"use client";

import { useRouter } from "next/navigation";
import { toastError } from "@/app/_api/toast-error";
import { type Side, sideNames } from "@/app/_data/compare/use-compare";
import { targetName } from "@/app/_data/memory/block-words";
import { useModelName } from "@/app/_data/models/use-models";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { useChangeSession } from "@/app/_data/sessions/use-session-mutations";
import { Button } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { countOf, formatCost, formatCount } from "@/app/_ui/format-amount";
import { useReadsOnly } from "@/app/_ui/reads-only";
import type { BranchWire, MemoryChangeWire } from "@/lib/chat/wire/branches";
import { ComparedMessage } from "./compared-message";
import type { WordDiff } from "./entry-diffs";

export interface BranchColumnProps {
  readonly sessionId: string;
  readonly side: Side;
  readonly branch: BranchWire;
  readonly diffs: readonly (WordDiff | "unlike" | null)[];
  readonly rowCount: number;
  readonly isReadingMore: boolean;
  readonly onMore: () => void;
  readonly isHidden: boolean;
}

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
      <header className="pb-2">
        <div className="flex items-center justify-between gap-3">
          <h3 className="font-semibold text-sm">{sideNames[side]}</h3>
          <ContinueHere sessionId={sessionId} leafId={leafId} side={side} />
        </div>
        <BranchFacts branch={branch} />
      </header>
      {entries.map((entry, index) => (
        <ComparedMessage
          key={entry.message.id}
          sessionId={sessionId}
          entry={entry}
          side={side}
          index={index}
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

function BranchFacts({ branch }: { branch: BranchWire }) {
  const nameOf = useModelName();
  const { messageCount, models, inputTokens, outputTokens, cost, memory } = branch;
  const facts = [
    countOf(messageCount, "message"),
    ...models.map(nameOf),
    ...usageWords({ inputTokens, outputTokens, cost }),
    memory.length > 0 && countOf(memory.length, "memory change"),
  ];
  return (
    <p className="wrap-anywhere text-muted text-xs tabular-nums">
      {facts.filter(Boolean).join(" · ")}
    </p>
  );
}

/** Models that report no tokens count as zero. */
export function usageWords({
  inputTokens,
  outputTokens,
  cost,
}: Pick<BranchWire, "inputTokens" | "outputTokens" | "cost">): readonly string[] {
  if (inputTokens + outputTokens === 0) return [];
  return [
    `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out`,
    cost === null ? "cost unknown" : formatCost(cost),
  ];
}

function BranchMemory({ changes }: { changes: readonly MemoryChangeWire[] }) {
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

interface ContinueHereProps {
  readonly sessionId: string;
  readonly leafId: string;
  readonly side: Side;
}

function ContinueHere({ sessionId, leafId, side }: ContinueHereProps) {
  const router = useRouter();
  const change = useChangeSession();
  const readsOnly = useReadsOnly();
  const verb = readsOnly ? "Open" : "Continue here";
  const open = () => router.push(`${sessionAddress(sessionId)}?leaf=${encodeURIComponent(leafId)}`);
  function go() {
    if (readsOnly) return open();
    change.mutate(
      { id: sessionId, activeLeafId: leafId },
      { onSuccess: open, onError: toastError },
    );
  }
  return (
    <Button
      size="sm"
      aria-label={`${verb}: ${sideNames[side].toLowerCase()}`}
      onClick={go}
      busy={change.isPending}
    >
      {verb}
    </Button>
  );
}

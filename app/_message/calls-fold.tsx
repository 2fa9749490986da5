"use client";

import { Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/_ui/button";
import { Fold } from "@/app/_ui/fold";
import { formatCount } from "@/app/_ui/format-amount";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { PlacedPart } from "./joined-calls";
import type { ShownCall } from "./message-parts";
import { foldWords } from "./tool-words";

export interface CallsFoldProps {
  readonly calls: readonly ShownCall[];
  readonly stateKey: string;
  readonly parts: readonly PlacedPart[];
  readonly renderPart: (part: PlacedPart) => ReactNode;
}

/** A thousand calls open a hundred at a time. */
const shownAtOnce = 100;

export function CallsFold({ calls, stateKey, parts, renderPart }: CallsFoldProps) {
  const [shown, setShown] = useKeptState(stateKey, 0);
  const { count, tools } = foldWords(calls);
  const failed = calls.filter(({ state }) => state === "failed").length;
  return (
    <Fold
      className="my-2"
      isOpen={shown > 0}
      onToggle={(isOpen) => setShown(isOpen ? Math.max(shown, shownAtOnce) : 0)}
      chevron="end"
      summary={
        <>
          <Wrench aria-hidden className="size-4 shrink-0 text-faint" />
          <span className="shrink-0 font-medium tabular-nums">{count}</span>
          {failed > 0 && (
            <span className="shrink-0 text-danger text-xs">{`${formatCount(failed)} failed`}</span>
          )}
          <span className="truncate text-faint text-xs">{tools}</span>
        </>
      }
    >
      <div className="mt-1 mb-3 border-line border-l-2 pl-4">
        {parts.slice(0, shown).map(renderPart)}
        {parts.length > shown && (
          <Button size="sm" variant="ghost" onClick={() => setShown(shown + shownAtOnce)}>
            {`Show more of ${count}`}
          </Button>
        )}
      </div>
    </Fold>
  );
}

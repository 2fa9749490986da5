"use client";

import { ChevronRight, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/_ui/button";
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

/** A thousand calls cost one line until they are opened, and then a hundred at a time. */
const shownAtOnce = 100;

export function CallsFold({ calls, stateKey, parts, renderPart }: CallsFoldProps) {
  const [shown, setShown] = useKeptState(stateKey, 0);
  const { count, tools } = foldWords(calls);
  const failed = calls.filter(({ state }) => state === "failed").length;
  return (
    <details
      className="group/fold my-2 text-sm"
      open={shown > 0}
      onToggle={(event) => setShown(event.currentTarget.open ? Math.max(shown, shownAtOnce) : 0)}
    >
      <summary className="flex w-fit max-w-full cursor-pointer list-none items-center gap-2 rounded-sm py-1 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <Wrench aria-hidden className="size-4 shrink-0 text-faint" />
        <span className="shrink-0 font-medium tabular-nums">{count}</span>
        {failed > 0 && (
          <span className="shrink-0 text-danger text-xs">{`${formatCount(failed)} failed`}</span>
        )}
        <span className="truncate text-faint text-xs">{tools}</span>
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 text-faint transition-transform group-open/fold:rotate-90"
        />
      </summary>
      {shown > 0 && (
        <div className="mt-1 mb-3 border-line border-l-2 pl-4">
          {parts.slice(0, shown).map(renderPart)}
          {parts.length > shown && (
            <Button size="sm" variant="ghost" onClick={() => setShown(shown + shownAtOnce)}>
              {`Show more of ${count}`}
            </Button>
          )}
        </div>
      )}
    </details>
  );
}

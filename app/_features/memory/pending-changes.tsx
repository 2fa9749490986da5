"use client";

import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import { useRefreshContext } from "@/app/_data/context/use-context-of";
import { blockTitle } from "@/app/_data/memory/block-words";
import { DiffView } from "@/app/_message/memory/diff-view";
import { lineDiff } from "@/app/_message/memory/line-diff";
import { Button } from "@/app/_ui/button";
import { Fold } from "@/app/_ui/fold";
import { countOf } from "@/app/_ui/format-amount";
import type { ContextWire } from "@/lib/chat/wire/context";

export interface PendingChangesProps {
  sessionId: string;
  changes: ContextWire["changes"];
}

/** Changes are applied on request: providers cache a frozen prompt, so it should rarely change. */
export function PendingChanges({ sessionId, changes }: PendingChangesProps) {
  const refresh = useRefreshContext(sessionId);
  if (changes.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-accent-soft p-3.5 text-sm">
      <div className="flex items-center gap-3">
        <p role="status" className="min-w-0 flex-1 font-medium">
          {countOf(changes.length, "memory change")} since this chat began
        </p>
        <Button size="sm" busy={refresh.isPending} onClick={() => refresh.mutate()}>
          {!refresh.isPending && <RefreshCw aria-hidden />}
          Apply now
        </Button>
      </div>
      <p className="text-muted text-xs">
        The model keeps using the earlier text until you apply it.
      </p>
      <ul aria-label="Pending changes" className="flex flex-col gap-1">
        {changes.map((change) => (
          <li key={change.label}>
            <PendingChange change={change} />
          </li>
        ))}
      </ul>
      <Failure of={refresh} />
    </div>
  );
}

function PendingChange({ change }: { change: ContextWire["changes"][number] }) {
  const [isOpen, setIsOpen] = useState(false);
  const words = `${blockTitle(change.label)} ${change.kind}`;
  return (
    <Fold isOpen={isOpen} onToggle={setIsOpen} summary={words}>
      <div className="mt-1.5">
        <DiffView lines={lineDiff(change.before, change.after)} label={`Differences: ${words}`} />
      </div>
    </Fold>
  );
}

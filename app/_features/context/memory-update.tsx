"use client";

import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import { useRefreshContext } from "@/app/_data/context/use-context-of";
import { targetName } from "@/app/_data/memory/block-words";
import { DiffView } from "@/app/_message/memory/diff-view";
import { lineDiff } from "@/app/_message/memory/line-diff";
import { Button } from "@/app/_ui/button";
import { Fold } from "@/app/_ui/fold";
import { countOf } from "@/app/_ui/format-amount";
import { Section } from "@/app/_ui/section";
import type { ContextWire } from "@/lib/chat/wire/context";

export interface MemoryUpdateProps {
  sessionId: string;
  changes: ContextWire["changes"];
}

/** Empty once the provider's cache is cold: the next message takes the changes up anyway. */
export function MemoryUpdate({ sessionId, changes }: MemoryUpdateProps) {
  const refresh = useRefreshContext(sessionId);
  if (changes.length === 0) return null;
  return (
    <Section
      title={`${countOf(changes.length, "memory change")} not in the prompt yet`}
      note="Reaches the model after a break, once its provider no longer caches the prompt."
      actions={
        <Button size="sm" busy={refresh.isPending} onClick={() => refresh.mutate()}>
          Update
        </Button>
      }
    >
      <ul aria-label="Memory changes not in the prompt yet" className="flex flex-col gap-1">
        {changes.map((change) => (
          <li key={change.label}>
            <MemoryChange change={change} />
          </li>
        ))}
      </ul>
      <Failure of={refresh} />
    </Section>
  );
}

function MemoryChange({ change }: { change: ContextWire["changes"][number] }) {
  const [isOpen, setIsOpen] = useState(false);
  const words = `${targetName({ label: change.label })} ${change.kind}`;
  return (
    <Fold isOpen={isOpen} onToggle={setIsOpen} summary={words}>
      <div className="mt-1.5">
        <DiffView lines={lineDiff(change.before, change.after)} label={`Differences: ${words}`} />
      </div>
    </Fold>
  );
}

"use client";

import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import { useRefreshContext } from "@/app/_data/context/use-context-of";
import { personalTitle, targetName } from "@/app/_data/memory/block-words";
import { DiffView } from "@/app/_message/memory/diff-view";
import { lineDiff } from "@/app/_message/memory/line-diff";
import { Button } from "@/app/_ui/button";
import { Fold } from "@/app/_ui/fold";
import { countOf } from "@/app/_ui/format-amount";
import { Writes } from "@/app/_ui/reads-only";
import { Section } from "@/app/_ui/section";
import type { ContextWire } from "@/lib/chat/wire/context";

export interface MemoryUpdateProps {
  sessionId: string;
  changes: ContextWire["changes"];
  personal?: ContextWire["changes"];
}

/** Empty once the provider's cache is cold: the next message takes the changes up anyway. */
export function MemoryUpdate({ sessionId, changes, personal = [] }: MemoryUpdateProps) {
  const refresh = useRefreshContext(sessionId);
  const shown = [
    ...changes.map((change) => ({ change, name: targetName({ label: change.label }) })),
    ...personal.map((change) => ({ change, name: personalTitle(change.label) })),
  ];
  if (shown.length === 0) return null;
  return (
    <Section
      title={`${countOf(shown.length, "memory change")} not in the prompt yet`}
      note="Reaches the model after a break, once its provider no longer caches the prompt."
      actions={
        <Writes>
          <Button size="sm" busy={refresh.isPending} onClick={() => refresh.mutate()}>
            Update
          </Button>
        </Writes>
      }
    >
      <ul aria-label="Memory changes not in the prompt yet" className="flex flex-col gap-1">
        {shown.map(({ change, name }) => (
          <li key={name}>
            <MemoryChange change={change} name={name} />
          </li>
        ))}
      </ul>
      <Failure of={refresh} />
    </Section>
  );
}

interface MemoryChangeProps {
  change: ContextWire["changes"][number];
  name: string;
}

function MemoryChange({ change, name }: MemoryChangeProps) {
  const [isOpen, setIsOpen] = useState(false);
  const words = `${name} ${change.kind}`;
  return (
    <Fold isOpen={isOpen} onToggle={setIsOpen} summary={words}>
      <div className="mt-1.5">
        <DiffView lines={lineDiff(change.before, change.after)} label={`Differences: ${words}`} />
      </div>
    </Fold>
  );
}

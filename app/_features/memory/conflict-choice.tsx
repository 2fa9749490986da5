"use client";

import { useMemo } from "react";
import { DiffView } from "@/app/_message/memory/diff-view";
import { lineDiff } from "@/app/_message/memory/line-diff";
import { Button } from "@/app/_ui/button";

export interface ConflictChoiceProps {
  mine: string;
  theirs: string;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

export function ConflictChoice({ mine, theirs, onKeepMine, onTakeTheirs }: ConflictChoiceProps) {
  const lines = useMemo(() => lineDiff(theirs, mine), [theirs, mine]);
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-lg bg-warn-soft p-3.5 text-sm">
      <p>
        <strong className="font-semibold">This text changed while you were editing.</strong> Lines
        marked − are in the saved text, lines marked + in yours. Nothing is lost until you choose.
      </p>
      <DiffView lines={lines} label="Saved version compared with yours" />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="primary" onClick={onKeepMine}>
          Keep mine
        </Button>
        <Button size="sm" onClick={onTakeTheirs}>
          Use saved version
        </Button>
      </div>
    </div>
  );
}

"use client";

import { useMemo } from "react";
import { targetName } from "@/app/_data/memory/block-words";
import type { ProposalWire } from "@/lib/chat/wire/memory";
import { DiffView } from "./diff-view";
import { lineDiff } from "./line-diff";

export interface ProposalChangesProps {
  proposal: ProposalWire;
  isConflict: boolean;
}

export function ProposalChanges({ proposal, isConflict }: ProposalChangesProps) {
  const { before, after, action } = proposal;
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const isChanged = proposal.isChangedSince || isConflict;
  return (
    <>
      {isChanged && (
        <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-sm">
          <strong className="font-semibold">
            This text changed after {proposal.program ?? "the model"} read it.
          </strong>{" "}
          {action === "append"
            ? "The line is added to the current text."
            : "− removed, + added if you accept."}
        </p>
      )}
      <DiffView
        lines={lines}
        label={`Suggested change to ${targetName(proposal)}`}
        isRegion={false}
      />
    </>
  );
}

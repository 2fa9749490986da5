"use client";

import { useId, useState } from "react";
import { messageText } from "@/app/_features/chat/message-text";
import { Segmented } from "@/app/_ui/segmented";
import { Switch } from "@/app/_ui/switch";
import type { CompareWire } from "@/lib/chat/wire/branches";
import { plainMarkdown } from "@/lib/session/search/plain-markdown";
import { BranchColumn } from "./branch-column";
import { BranchFacts } from "./branch-facts";
import { entryDiffs } from "./entry-diffs";
import type { Side } from "./side";

export interface ComparisonProps {
  readonly sessionId: string;
  readonly compare: CompareWire;
  readonly isReadingMore: boolean;
  /** Reads further messages of both branches. */
  readonly onMore: () => void;
}

/** What two branches share in a line, the facts of both, and then their messages; on a phone one branch at a time. */
export function Comparison({ sessionId, compare, isReadingMore, onMore }: ComparisonProps) {
  const [shown, setShown] = useState<Side>("left");
  const [isMarked, setIsMarked] = useState(true);
  const switchId = useId();
  const { ancestor, left, right } = compare;
  const diffs = isMarked ? entryDiffs(left.entries, right.entries) : [];
  const rowCount = Math.max(left.entries.length, right.entries.length) + 2;
  const column = { sessionId, diffs, rowCount, isReadingMore, onMore };
  return (
    <>
      <p className="border-line border-b pb-4 text-muted text-sm">
        {ancestor ? (
          <>
            Both continue from{" "}
            <q dir="auto" className="text-ink">
              {opening(plainMarkdown(messageText(ancestor.message)))}
            </q>
          </>
        ) : (
          "These branches share no messages."
        )}
      </p>
      <BranchFacts left={left} right={right} />
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 bg-paper py-3">
        <div className="w-full md:hidden">
          <Segmented
            label="Branch"
            value={shown}
            onChange={setShown}
            options={[
              { value: "left", label: "Left" },
              { value: "right", label: "Right" },
            ]}
          />
        </div>
        <label htmlFor={switchId} className="ml-auto text-sm">
          Mark differences
        </label>
        <Switch id={switchId} checked={isMarked} onChange={setIsMarked} />
      </div>
      <div className="gap-x-8 md:grid md:grid-cols-2">
        <BranchColumn {...column} side="left" branch={left} isHidden={shown !== "left"} />
        <BranchColumn {...column} side="right" branch={right} isHidden={shown !== "right"} />
      </div>
    </>
  );
}

const openingLength = 160;

function opening(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  const characters = [...line];
  if (line === "") return "(no text)";
  return characters.length > openingLength
    ? `${characters.slice(0, openingLength).join("")}…`
    : line;
}

"use client";

import { useId, useRef, useState } from "react";
import { messageText } from "@/app/_data/chat/message-text";
import { plainName } from "@/app/_data/chat/plain-name";
import type { Side } from "@/app/_data/compare/use-compare";
import { Segmented, Switch } from "@/app/_ui/toggles";
import type { CompareWire } from "@/lib/chat/wire/branches";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { BranchColumn } from "./branch-column";
import { entryDiffs, type WordDiff } from "./entry-diffs";
import { useMarkedDifferences } from "./mark-differences";

export interface ComparisonProps {
  readonly sessionId: string;
  readonly compare: CompareWire;
  readonly isReadingMore: boolean;
  readonly onMore: () => void;
}

export function Comparison({ sessionId, compare, isReadingMore, onMore }: ComparisonProps) {
  const [shown, setShown] = useState<Side>("left");
  const [isMarked, setIsMarked] = useState(true);
  const switchId = useId();
  const { ancestor, left, right } = compare;
  const diffs = isMarked ? entryDiffs(left.entries, right.entries) : [];
  const rowCount = Math.max(left.entries.length, right.entries.length) + 2;
  const page = useRef<HTMLDivElement>(null);
  useMarkedDifferences(page, answersIn(left.entries, diffs));
  const column = { sessionId, diffs, rowCount, isReadingMore, onMore };
  return (
    <>
      <p className="border-line border-b pb-4 text-muted text-sm">
        {ancestor ? (
          <>
            Both continue from{" "}
            <q dir="auto" className="text-ink">
              {opening(plainName(messageText(ancestor.message)))}
            </q>
          </>
        ) : (
          "These branches share no messages."
        )}
      </p>
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
      <div ref={page} className="gap-x-8 md:grid md:grid-cols-2">
        <BranchColumn {...column} side="left" branch={left} isHidden={shown !== "left"} />
        <BranchColumn {...column} side="right" branch={right} isHidden={shown !== "right"} />
      </div>
    </>
  );
}

function answersIn(
  entries: readonly EntryWire[],
  diffs: readonly (WordDiff | "unlike" | null)[],
): readonly number[] {
  return diffs.flatMap((diff, index) => {
    const isMarked = diff !== null && diff !== "unlike" && diff.ownWords > 0;
    return isMarked && entries[index]?.message.role === "assistant" ? [index] : [];
  });
}

const openingLength = 160;

function opening(line: string): string {
  const characters = [...line];
  if (line === "") return "(no text)";
  return characters.length > openingLength
    ? `${characters.slice(0, openingLength).join("")}…`
    : line;
}

"use client";

import { useId, useState } from "react";
import { messageText } from "@/app/_features/chat/message-text";
import { useModelName } from "@/app/_features/settings/use-models";
import { countOf, formatCost, formatCount } from "@/app/_ui/format-amount";
import { Segmented, Switch } from "@/app/_ui/toggles";
import type { BranchWire, CompareWire } from "@/lib/chat/wire/branches";
import { plainMarkdown } from "@/lib/session/search/plain-markdown";
import { BranchColumn } from "./branch-column";
import { entryDiffs } from "./entry-diffs";
import type { Side } from "./use-compare";

export interface ComparisonProps {
  readonly sessionId: string;
  readonly compare: CompareWire;
  readonly isReadingMore: boolean;
  readonly onMore: () => void;
}

/** On a phone one branch at a time. */
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

interface BranchFactsProps {
  readonly left: BranchWire;
  readonly right: BranchWire;
}

function BranchFacts({ left, right }: BranchFactsProps) {
  const nameOf = useModelName();
  return (
    <table className="my-4 w-full table-fixed text-sm">
      <caption className="sr-only">Facts about both branches</caption>
      <thead>
        <tr className="text-left text-muted">
          <td className="w-24 sm:w-32" />
          <th scope="col" className="py-1 pr-3 font-medium">
            Left
          </th>
          <th scope="col" className="py-1 font-medium">
            Right
          </th>
        </tr>
      </thead>
      <tbody>
        {facts.map(({ name, of }) => (
          <tr key={name} className="border-line border-t align-top">
            <th scope="row" className="py-1.5 pr-3 text-left font-normal text-muted">
              {name}
            </th>
            <td className="wrap-anywhere py-1.5 pr-3 tabular-nums">{of(left, nameOf)}</td>
            <td className="wrap-anywhere py-1.5 tabular-nums">{of(right, nameOf)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const facts: readonly {
  name: string;
  of: (branch: BranchWire, nameOf: (model: string) => string) => string;
}[] = [
  { name: "Messages", of: ({ messageCount }) => formatCount(messageCount) },
  { name: "Model", of: ({ models }, nameOf) => models.map(nameOf).join(", ") || "none" },
  {
    name: "Tokens",
    of: ({ inputTokens, outputTokens }) =>
      `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out`,
  },
  { name: "Cost", of: ({ cost }) => (cost === null ? "unknown" : formatCost(cost)) },
  {
    name: "Memory",
    of: ({ memory }) => (memory.length === 0 ? "no changes" : countOf(memory.length, "change")),
  },
];

import { countOf, formatCost, formatCount, formatTokens } from "@/app/_ui/format-amount";
import type { CompactionPreviewWire } from "@/lib/chat/wire/compaction";
import type { GaugeWire } from "@/lib/chat/wire/context";
import { type GaugeView, turnsLeft } from "./gauge-view";

export interface GaugeFactsProps {
  gauge: GaugeWire;
  view: GaugeView;
  /** `undefined` while loading. */
  preview: CompactionPreviewWire | undefined;
}

export function GaugeFacts({ gauge, view, preview }: GaugeFactsProps) {
  const turns = preview ? turnsLeft(view.freeTokens, preview) : null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {turns !== null && <Fact name="Space left">~{countOf(turns, "more message")}</Fact>}
      <Fact name="Next message">
        {gauge.nextCost === null
          ? "Price unknown for this model"
          : `${formatCost(gauge.nextCost)} input + output`}
      </Fact>
      {gauge.shortened && <Fact name="Tool outputs">{shortenedWords(gauge.shortened)}</Fact>}
      {preview?.range && (
        <Fact name="Compacting">Summarizes {formatTokens(preview.range.tokens)}</Fact>
      )}
    </dl>
  );
}

function shortenedWords({ count, shownChars, totalChars }: NonNullable<GaugeWire["shortened"]>) {
  return `${count} shortened, ${formatCount(shownChars)} of ${formatCount(totalChars)} characters`;
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="text-right">{children}</dd>
    </>
  );
}

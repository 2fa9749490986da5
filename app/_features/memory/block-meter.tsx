import { classNames } from "@/app/_ui/class-names";
import { formatCount, formatTokens } from "@/app/_ui/format-amount";
import { Meter, meterWarnsAt } from "@/app/_ui/meter";
import type { BlockWire } from "@/lib/chat/wire/memory";

export function BlockMeter({ block }: { block: BlockWire }) {
  const { label, tokens, maxTokens } = block;
  if (maxTokens === null) return <p className="text-faint text-xs">{formatTokens(tokens)}</p>;
  const share = tokens / maxTokens;
  return (
    <div className="flex items-center gap-3">
      <Meter
        label={`Space used in ${label}`}
        value={tokens}
        max={maxTokens}
        valueText={`${formatCount(tokens)} of ${formatTokens(maxTokens)}`}
      />
      <span
        className={classNames(
          "shrink-0 text-xs tabular-nums",
          share > 1 ? "text-danger" : share >= meterWarnsAt ? "text-warn" : "text-faint",
        )}
      >
        {formatCount(tokens)} / {formatTokens(maxTokens)}
      </span>
    </div>
  );
}

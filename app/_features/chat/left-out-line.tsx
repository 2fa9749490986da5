"use client";

import { EyeOff } from "lucide-react";
import { refusedWords } from "@/app/_data/models/feature-words";
import { isolated } from "@/app/_ui/isolated";
import type { GroveMetadata, LeftOutWire } from "@/lib/chat/wire/messages";
import type { Feature } from "@/lib/chat/wire/settings";

/** Says below an answer what its model did not get. */
export function LeftOutLine({ metadata }: { metadata: GroveMetadata | undefined }) {
  const lines = leftOutLines(metadata?.leftOut);
  if (lines.length === 0) return null;
  return (
    <ul aria-label="Left out" className="mt-2 flex flex-col gap-1 text-faint text-xs">
      {lines.map((line) => (
        <li key={line} className="flex gap-2">
          <EyeOff aria-hidden className="mt-0.5 size-3 shrink-0" />
          <span className="wrap-anywhere">{line}</span>
        </li>
      ))}
    </ul>
  );
}

const mostNamed = 5;
/** The answer misses nothing by them; the receipt names them. */
const sentOtherwise: ReadonlySet<Feature> = new Set(["thoughts", "calls"]);

function leftOutLines(leftOut: LeftOutWire | undefined): string[] {
  const { refused = [], files = [], fileCount = files.length } = leftOut ?? {};
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of files.slice(-mostNamed))
    reasons.set(reason, [...(reasons.get(reason) ?? []), `“${isolated(name)}”`]);
  const more = fileCount - Math.min(fileCount, mostNamed);
  return [
    ...refused.filter((feature) => !sentOtherwise.has(feature)).map(refusedWords),
    ...[...reasons].map(
      ([reason, names]) => `Not seen by the model: ${names.join(", ")} (${reason})`,
    ),
    ...(more > 0
      ? [`${more} more ${more === 1 ? "file was" : "files were"} not seen by the model.`]
      : []),
  ];
}

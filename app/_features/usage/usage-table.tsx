"use client";

import type { ReactNode } from "react";
import { formatCount } from "@/app/_ui/format-amount";
import type { UsageSumWire } from "@/lib/chat/wire/usage";
import { amountOf, costWords, type Measure, tokenWords } from "./usage-words";

interface UsageTableRow extends UsageSumWire {
  id: string;
  name: ReactNode;
}

export interface UsageTableProps {
  caption: string;
  of: string;
  rows: readonly UsageTableRow[];
  measure: Measure;
}

const counts = [
  ["Requests", "calls"],
  ["Input", "inputTokens"],
  ["Output", "outputTokens"],
] as const;

export function UsageTable({ caption, of, rows, measure }: UsageTableProps) {
  const largest = Math.max(...rows.map((row) => amountOf(row, measure)));
  return (
    <div className="overflow-x-auto rounded-xl border border-line bg-raised">
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b text-faint text-xs">
            <th scope="col" className="px-4 py-2 text-left font-medium">
              {of}
            </th>
            {counts.map(([name]) => (
              <th key={name} scope="col" className="px-2 py-2 text-right font-medium max-sm:hidden">
                {name}
              </th>
            ))}
            <th scope="col" className="px-2 py-2 text-right font-medium">
              Tokens
            </th>
            <th scope="col" className="py-2 pr-4 pl-2 text-right font-medium">
              Cost
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.id} className="tabular-nums">
              <th
                scope="row"
                className="min-w-36 max-w-72 px-4 py-2 text-left font-normal [overflow-wrap:anywhere]"
              >
                {row.name}
                <Share part={largest > 0 ? amountOf(row, measure) / largest : 0} />
              </th>
              {counts.map(([name, field]) => (
                <td key={name} className="px-2 py-2 text-right text-muted max-sm:hidden">
                  {formatCount(row[field])}
                </td>
              ))}
              <td className="whitespace-nowrap px-2 py-2 text-right">{tokenWords(row)}</td>
              <td className="py-2 pr-4 pl-2 text-right">{costWords(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Share({ part }: { part: number }) {
  return (
    <span aria-hidden className="mt-1 block h-1 overflow-hidden rounded-full bg-sunken">
      <span
        style={{ width: `${Math.max(part * 100, part > 0 ? 1 : 0)}%` }}
        className="block h-full rounded-full bg-accent"
      />
    </span>
  );
}

import { useModelName } from "@/app/_features/settings/model-name";
import { countOf, formatCost, formatCount } from "@/app/_ui/format-amount";
import type { BranchWire } from "@/lib/chat/wire/branches";

export interface BranchFactsProps {
  readonly left: BranchWire;
  readonly right: BranchWire;
}

export function BranchFacts({ left, right }: BranchFactsProps) {
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

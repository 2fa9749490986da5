import { classNames } from "@/app/_ui/class-names";
import type { TreeGuide, TreeGuideTone } from "./tree-guides";
import type { TreeRow } from "./tree-rows";

/** Width of one level of indent. */
const columnClass = "relative h-full w-3.5 shrink-0";

/** The lines left of a row: where its branch hangs, and the dot it is on its own line. */
export function TreeLines({ row }: { row: TreeRow }) {
  return (
    <span aria-hidden className="flex h-full shrink-0">
      {row.guides.map((guide, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other name than its place
        <GuideColumn key={column} guide={guide} />
      ))}
      <span className={columnClass}>
        <Line at="up" tone={row.joins.above} />
        <Line at="down" tone={row.joins.below} />
        <Dot row={row} />
      </span>
    </span>
  );
}

function GuideColumn({ guide }: { guide: TreeGuide }) {
  return (
    <span className={columnClass}>
      <Line at="up" tone={guide.up} />
      <Line at="down" tone={guide.down} />
      <Line at="right" tone={guide.right} />
    </span>
  );
}

const linePlaces = {
  up: "left-1/2 top-0 h-1/2 w-px -translate-x-1/2",
  down: "left-1/2 top-1/2 h-1/2 w-px -translate-x-1/2",
  right: "left-1/2 top-1/2 h-px w-full -translate-y-1/2",
} as const;

function Line({ at, tone }: { at: keyof typeof linePlaces; tone: TreeGuideTone }) {
  if (tone === "none") return null;
  const color = tone === "active" ? "bg-accent" : "bg-edge/50";
  return <span className={classNames("absolute", linePlaces[at], color)} />;
}

function Dot({ row }: { row: TreeRow }) {
  const isMine = row.item.kind === "message" && row.item.node.role === "user";
  const color = row.onActivePath ? "border-accent" : "border-edge";
  const fill = row.onActivePath ? "bg-accent" : "bg-edge";
  return (
    <span
      className={classNames(
        "absolute top-1/2 left-1/2 -translate-x-1/2 -translate-y-1/2 border-2",
        row.item.kind === "compaction" ? "size-2 rotate-45 rounded-[2px]" : "rounded-full",
        row.item.kind === "compaction" ? "" : isMine ? "size-2" : "size-1.75",
        color,
        isMine || row.item.kind === "compaction" ? fill : "bg-paper",
      )}
    />
  );
}

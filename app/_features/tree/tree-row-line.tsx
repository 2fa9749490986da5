"use client";

import { Bookmark, ChevronDown, ChevronRight, Columns2, Leaf } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { Badge } from "@/app/_ui/badge";
import { classNames } from "@/app/_ui/class-names";
import { countOf } from "@/app/_ui/format-amount";
import { MarkedWords } from "@/app/_ui/marked-words";
import { relativeTime, useNow } from "@/app/_ui/relative-time";
import type { SnippetWire } from "@/lib/chat/wire/search";
import type { ShownTreeRow, TreeGuide, TreeGuideTone } from "./tree-rows";

export interface TreeRowLineProps {
  row: ShownTreeRow;
  domId: string;
  focused: boolean;
  isCompared: boolean;
  snippet: SnippetWire | null;
  onChoose: () => void;
  onFold: () => void;
  actions: ReactNode;
}

const looks: Record<RowWords["look"], readonly [string, string]> = {
  mine: ["font-medium text-ink", "font-medium text-muted"],
  answer: ["text-muted", "text-faint"],
  quiet: ["text-faint italic", "text-faint italic"],
  compaction: ["text-accent", "text-faint"],
};

export function TreeRowLine(props: TreeRowLineProps) {
  const { row, domId, focused, isCompared, onChoose, onFold, actions } = props;
  const snippet = props.snippet && rowSnippet(props.snippet);
  const words = rowWords(row, snippet?.text ?? null);
  const [onPath, beside] = looks[words.look];
  const look = row.isContext ? "text-faint" : row.onActivePath ? onPath : beside;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and points here
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
    <div
      id={domId}
      role="treeitem"
      aria-label={isCompared ? `${words.name}, selected for comparison` : words.name}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-selected={row.isActiveLeaf}
      {...(row.foldable ? { "aria-expanded": !row.folded } : {})}
      data-reveal
      onClick={onChoose}
      className={classNames(
        "relative flex h-8 pointer-coarse:h-11 cursor-pointer items-center gap-1 pr-1 pl-2 text-sm hover:bg-hover",
        row.isActiveLeaf && "bg-accent-soft",
        focused && "in-focus-visible:outline-2 in-focus-visible:outline-accent -outline-offset-2",
      )}
    >
      <TreeLines row={row} />
      <FoldToggle row={row} onFold={onFold} />
      {row.item.kind === "message" && row.item.node.pinned && (
        <span className="flex max-w-2/5 shrink-0 items-center gap-1 rounded-xs bg-accent-soft px-1 py-px text-ink text-xs">
          <Bookmark aria-hidden className="size-3 shrink-0 text-accent" />
          {words.label && <span dir="auto" className="truncate">{`${words.label} `}</span>}
        </span>
      )}
      <span dir="auto" className={classNames("min-w-0 flex-1 truncate text-start", look)}>
        {snippet ? <MarkedWords text={snippet} /> : `${words.text} `}
      </span>
      {row.version && <VersionMark row={row} {...row.version} />}
      {isCompared && <Columns2 aria-hidden className="mx-1 size-3.5 shrink-0 text-accent" />}
      {row.folded && <Badge>{row.hiddenCount}</Badge>}
      {row.isActiveLeaf && <Leaf aria-hidden className="mx-1 size-3.5 shrink-0 text-accent" />}
      {actions}
    </div>
  );
}

type VersionMarkProps = NonNullable<ShownTreeRow["version"]> & { readonly row: ShownTreeRow };

/** The row's name says these words in another form, so they are only drawn. */
function VersionMark({ row: { item }, number, count, isAlike }: VersionMarkProps) {
  const now = useNow();
  const time =
    isAlike && item.kind === "message"
      ? `${relativeTime(Date.parse(item.node.createdAt), now)} `
      : "";
  return (
    <span
      aria-hidden
      data-version={`${time}${number}/${count}`}
      className="shrink-0 text-2xs text-faint tabular-nums before:content-[attr(data-version)]"
    />
  );
}

function FoldToggle({ row, onFold }: { row: ShownTreeRow; onFold: () => void }) {
  if (!row.foldable) return <span className="w-4 shrink-0" />;
  const Icon = row.folded ? ChevronRight : ChevronDown;
  const toggle = (event: MouseEvent) => {
    event.stopPropagation();
    onFold();
  };
  return (
    // The button is for pointers; the keyboard uses the arrow keys.
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      onClick={toggle}
      className="relative flex size-4 shrink-0 items-center justify-center rounded-xs text-faint after:absolute after:-inset-2 hover:text-ink"
    >
      <Icon className="size-3.5" />
    </button>
  );
}

const columnClass = "relative h-full w-3.5 shrink-0";

function TreeLines({ row }: { row: ShownTreeRow }) {
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

function Dot({ row }: { row: ShownTreeRow }) {
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

const leadLength = 12;

/** A row has one line, so its snippet starts just before the first match. */
export function rowSnippet({ text, marks }: SnippetWire): SnippetWire {
  const first = Math.max(0, (marks[0]?.[0] ?? 0) - leadLength);
  if (first === 0) return { text, marks };
  const space = text.indexOf(" ", first);
  const start = space !== -1 && space < (marks[0]?.[0] ?? 0) ? space + 1 : first;
  const shift = start - 1;
  return {
    text: `…${text.slice(start).toWellFormed()}`,
    marks: marks.map(([from, to]) => [from - shift, to - shift]),
  };
}

interface RowWords {
  readonly text: string;
  readonly label: string | null;
  readonly look: "mine" | "answer" | "quiet" | "compaction";
  readonly name: string;
}

export function rowWords(row: ShownTreeRow, snippet: string | null = null): RowWords {
  const { text: opening, look, speaker } = wordsOf(row);
  const text = snippet ?? opening;
  const { pinned, label } =
    row.item.kind === "message" ? row.item.node : { pinned: false, label: null };
  // A bookmark's name comes in visual order, for those who see and hear it.
  const said = label === null ? text : `${label} ${text}`;
  const who = pinned ? `${speaker}, bookmarked` : speaker;
  const spoken = speaker === null ? text : `${who}: ${said}`;
  const notes = [
    row.version ? `version ${row.version.number} of ${row.version.count}` : null,
    row.isContext ? "branches split here" : null,
    row.isActiveLeaf ? "you are here" : null,
    row.folded ? `${countOf(row.hiddenCount, "row")} collapsed` : null,
  ].filter((note) => note !== null);
  return { text, label, look, name: [spoken, ...notes].join(", ") };
}

function wordsOf({
  item,
}: ShownTreeRow): Pick<RowWords, "text" | "look"> & { speaker: string | null } {
  if (item.kind === "compaction") {
    const text = `Summary of ${countOf(item.messageCount, "message")}`;
    return { text, look: "compaction", speaker: null };
  }
  if (item.kind === "calls") return { text: "Tool calls", look: "quiet", speaker: null };
  const preview = item.node.preview.trim();
  switch (item.node.role) {
    case "user":
      return { text: preview || "No text", look: "mine", speaker: "You" };
    case "assistant":
      return preview
        ? { text: preview, look: "answer", speaker: "Answer" }
        : { text: "Tool call", look: "quiet", speaker: "Answer" };
    case "system":
      return { text: preview || "No text", look: "quiet", speaker: "System" };
  }
}

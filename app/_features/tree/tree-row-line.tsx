"use client";

import { ChevronDown, ChevronRight, Columns2, Leaf, Pin } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { MarkedWords } from "@/app/_features/search/marked-words";
import { Badge } from "@/app/_ui/badge";
import { classNames } from "@/app/_ui/class-names";
import type { SnippetWire } from "@/lib/chat/wire/search";
import { rowSnippet } from "./row-snippet";
import { type RowWords, rowWords } from "./row-words";
import { TreeLines } from "./tree-lines";
import type { TreeRow } from "./tree-rows";

export interface TreeRowLineProps {
  row: TreeRow;
  /** Referred to by the tree's `aria-activedescendant`. */
  domId: string;
  focused: boolean;
  /** It waits for another row to be compared with. */
  isCompared: boolean;
  /** Where a search found its words in it. */
  snippet: SnippetWire | null;
  onChoose: () => void;
  onFold: () => void;
  /** What stands at its end while it is pointed at or focused. */
  actions: ReactNode;
}

/** On the path in view, and beside it. */
const looks: Record<RowWords["look"], readonly [string, string]> = {
  mine: ["font-medium text-ink", "font-medium text-muted"],
  answer: ["text-muted", "text-faint"],
  quiet: ["text-faint italic", "text-faint italic"],
  compaction: ["text-accent", "text-faint"],
};

/** One message or compaction of the tree panel. */
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
      {words.label && (
        <span
          dir="auto"
          className="max-w-2/5 shrink-0 truncate rounded-xs bg-accent-soft px-1.5 py-px text-ink text-xs"
        >
          {`${words.label} `}
        </span>
      )}
      <span dir="auto" className={classNames("min-w-0 flex-1 truncate text-start", look)}>
        {snippet ? <MarkedWords text={snippet} /> : `${words.text} `}
      </span>
      {row.item.kind === "message" && row.item.node.pinned && (
        <Pin aria-hidden className="size-3 shrink-0 text-accent" />
      )}
      {isCompared && <Columns2 aria-hidden className="mx-1 size-3.5 shrink-0 text-accent" />}
      {row.folded && <Badge>{row.hiddenCount}</Badge>}
      {row.isActiveLeaf && <Leaf aria-hidden className="mx-1 size-3.5 shrink-0 text-accent" />}
      {actions}
    </div>
  );
}

function FoldToggle({ row, onFold }: { row: TreeRow; onFold: () => void }) {
  if (!row.foldable) return <span className="w-4 shrink-0" />;
  const Icon = row.folded ? ChevronRight : ChevronDown;
  const toggle = (event: MouseEvent) => {
    event.stopPropagation();
    onFold();
  };
  return (
    // The keyboard folds with the arrow keys, so this is for pointers alone.
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

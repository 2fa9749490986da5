"use client";

import { Leaf, ListTree } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { Failure } from "@/app/_api/failure";
import { shellStore } from "@/app/_data/page/shell-store";
import { useTree } from "@/app/_data/tree/use-tree";
import { Button } from "@/app/_ui/button";
import { countOf } from "@/app/_ui/format-amount";
import { Kbd } from "@/app/_ui/kbd";
import { ListSkeleton } from "@/app/_ui/loading";
import { EmptyState } from "@/app/_ui/notice";
import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import { TreeFilters } from "./tree-filters";
import { TreeList } from "./tree-list";
import { type TreeActionsOptions, useTreeActions } from "./use-tree-actions";
import { type TreeView, useTreeView } from "./use-tree-view";

export interface TreeTabProps extends TreeActionsOptions {
  leafId: string | null | undefined;
}

export function TreeTab({ leafId, ...options }: TreeTabProps) {
  const tree = useTree(options.sessionId);
  const shownId = leafId === undefined ? (tree.data?.activeLeafId ?? null) : leafId;
  const view = useTreeView(options.sessionId, tree.data, shownId);
  const actions = useTreeActions(options);
  const searchRef = useRef<HTMLInputElement>(null);
  const treeRef = useRef<HTMLDivElement>(null);
  const focusTree = () => treeRef.current?.querySelector<HTMLElement>("[role=tree]")?.focus();
  const isComparing = view.comparedNode !== null;
  const onComparing = useEffectEvent(focusTree);
  useEffect(() => {
    // The keys that select the second message belong to the tree.
    if (isComparing) onComparing();
  }, [isComparing]);

  if (tree.isError && !tree.data) {
    return <Failure of={tree} className="m-4" />;
  }
  if (!tree.data) return <ListSkeleton label="Loading tree" rows={9} />;
  if (tree.data.nodes.length === 0) return <NoMessages />;

  const stopComparing = () => {
    shellStore.stopComparing();
    focusTree();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isComparing) return;
    event.preventDefault();
    stopComparing();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whatever inside has the focus, Escape ends the choice
    <div className="flex h-full min-h-0 flex-col" onKeyDown={onKeyDown}>
      <TreeFilters view={view} actions={actions} searchRef={searchRef} onLeave={focusTree} />
      <div ref={treeRef} className="min-h-0 flex-1">
        {view.rows.length > 0 ? (
          <TreeList view={view} actions={actions} onType={() => searchRef.current?.focus()} />
        ) : (
          !view.find.isSearching && <NothingFound view={view} />
        )}
      </div>
      {view.comparedNode && <ComparisonNote node={view.comparedNode} onCancel={stopComparing} />}
      <TreeFooter view={view} messageCount={tree.data.nodes.length} />
    </div>
  );
}

function NothingFound({ view }: { view: TreeView }) {
  const showAll = () => {
    view.setQuery("");
    view.setFilter("all");
  };
  const { title, hint } = emptyWords(view);
  return (
    <EmptyState title={title} action={<Button onClick={showAll}>Show all</Button>}>
      {hint}
    </EmptyState>
  );
}

function emptyWords({ filter, query }: TreeView): { title: string; hint: ReactNode } {
  if (query.trim() === "" && filter === "bookmarks") {
    return {
      title: "No bookmarks",
      hint: "Bookmark a message to find it here. It is kept verbatim when summarized.",
    };
  }
  return {
    title: "No message matches",
    hint: (
      <>
        Every branch of this chat was searched. Search all chats: <Kbd keys={["mod", "K"]} />
      </>
    ),
  };
}

function NoMessages() {
  return (
    <EmptyState icon={<ListTree aria-hidden />} title="No messages yet">
      Edit a question or regenerate an answer to create a branch. Nothing is overwritten.
    </EmptyState>
  );
}

function ComparisonNote({ node, onCancel }: { node: TreeNodeWire; onCancel: () => void }) {
  return (
    <div className="flex items-center gap-2 border-line border-t bg-accent-soft px-3 py-2 text-sm">
      <p role="status" className="min-w-0 flex-1">
        <span className="block truncate text-ink">
          Compare <q dir="auto">{node.label ?? (node.preview || "this message")}</q>
        </span>
        <span className="text-muted text-xs">Select another message in the tree.</span>
      </p>
      <Button size="sm" variant="ghost" onClick={onCancel}>
        Cancel
        <Kbd keys={["Esc"]} />
      </Button>
    </div>
  );
}

function countWords(view: TreeView, messageCount: number): string {
  if (!view.isFiltered) return countOf(messageCount, "message");
  const shown = view.rows.filter((row) => !row.isContext).length;
  const { find } = view;
  const words = [
    find.isCut ? `top ${shown}` : `${shown} of ${countOf(messageCount, "message")}`,
    find.corrected === null ? null : `for “${find.corrected}”`,
    find.isSearching ? "searching…" : null,
  ];
  return words.filter((word) => word !== null).join(" · ");
}

function TreeFooter({ view, messageCount }: { view: TreeView; messageCount: number }) {
  const leaf = view.rows.find((row) => row.isActiveLeaf);
  return (
    <div className="flex items-center gap-2 border-line border-t px-3 py-2 text-faint text-xs">
      <p className="min-w-0 flex-1 truncate" aria-live="polite">
        {countWords(view, messageCount)}
      </p>
      {leaf && (
        <Button size="sm" variant="ghost" onClick={() => view.setFocusedId(leaf.id)}>
          <Leaf aria-hidden className="text-accent" />
          Current message
        </Button>
      )}
    </div>
  );
}

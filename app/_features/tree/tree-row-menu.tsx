"use client";

import { Columns2, CornerDownRight, CornerUpRight, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { BookmarkItems } from "@/app/_message/bookmark-items";
import { IconButton } from "@/app/_ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { useReadsOnly, Writes } from "@/app/_ui/reads-only";
import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import type { ShownTreeRow } from "./tree-rows";
import { chooseForComparison, type TreeActions } from "./use-tree-actions";
import type { TreeView } from "./use-tree-view";

export function TreeRowMenu({
  row,
  view,
  actions,
  focused,
}: {
  row: ShownTreeRow;
  view: TreeView;
  actions: TreeActions;
  focused: boolean;
}) {
  if (row.item.kind !== "message") return null;
  const { node } = row.item;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: it only keeps the clicks of the menu from choosing the row
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is what is operated
    <span className="reveal-on-hover contents" onClick={(event) => event.stopPropagation()}>
      <Menu
        trigger={
          <IconButton
            label="Actions for this message"
            size="xs"
            tooltip="none"
            tabIndex={focused ? 0 : -1}
            className="reveal-on-hover"
          >
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <PathItems row={row} node={node} actions={actions} />
        <MenuItem
          icon={<Columns2 aria-hidden />}
          shortcut={["shift", "C"]}
          note={compareNote(view.comparedNode, node.id)}
          onSelect={() => chooseForComparison(view, actions, node.id)}
        >
          Compare
        </MenuItem>
        <BookmarkItems message={node} shortcut={["shift", "B"]} />
        <Writes>
          <MenuSeparator />
          <MenuItem
            danger
            icon={<Trash2 aria-hidden />}
            note="Also deletes all replies"
            onSelect={() => actions.deleteUnder(node)}
          >
            Delete
          </MenuItem>
        </Writes>
      </Menu>
    </span>
  );
}

function compareNote(chosen: TreeNodeWire | null, messageId: string): string {
  if (chosen === null) return "Choose another message next";
  if (chosen.id === messageId) return "Selected. Choose again to cancel";
  return `With ${chosen.label ?? (chosen.preview || "the selected message")}`;
}

interface PathItemsProps {
  row: ShownTreeRow;
  node: TreeNodeWire;
  actions: TreeActions;
}

function PathItems({ row, node, actions }: PathItemsProps) {
  const isMine = node.role === "user";
  const open = (
    <MenuItem icon={<CornerDownRight aria-hidden />} onSelect={() => actions.open(node.id)}>
      Open
    </MenuItem>
  );
  if (useReadsOnly()) return open;
  return (
    <>
      <MenuItem
        icon={isMine ? <Pencil aria-hidden /> : <CornerDownRight aria-hidden />}
        onSelect={() => actions.choose(row)}
      >
        {isMine ? "Edit" : "Continue here"}
      </MenuItem>
      {!row.isActiveLeaf && (
        <MenuItem
          icon={<CornerUpRight aria-hidden />}
          note="Adds a summary or messages from here"
          onSelect={() => actions.carryOver(row)}
        >
          Carry context over…
        </MenuItem>
      )}
      {isMine && open}
    </>
  );
}

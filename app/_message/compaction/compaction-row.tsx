"use client";

import {
  BookOpenText,
  Ellipsis,
  FoldVertical,
  Pencil,
  Sparkles,
  Undo2,
  UnfoldVertical,
} from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { useCompacting, useUndoCompaction } from "@/app/_data/compaction/use-compactions";
import { readTextDraft } from "@/app/_data/memory/text-draft";
import { useModelName } from "@/app/_data/models/use-models";
import { Button, IconButton } from "@/app/_ui/button";
import { Markdown } from "@/app/_ui/markdown/markdown";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { useOnPaper } from "@/app/_ui/on-paper";
import { Writes } from "@/app/_ui/reads-only";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { CompactionWire, SummaryRunWire } from "@/lib/chat/wire/compaction";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { compactionFacts, compactionTitle } from "./compaction-words";
import { FocusField } from "./focus-field";
import { OriginalMessages } from "./original-messages";
import { SummaryEditor, summaryDraftKey } from "./summary-editor";
import { PendingCompaction, SummaryInWriting } from "./summary-in-writing";

export { PendingCompaction };

export interface CompactionRowProps {
  sessionId: string;
  leafId: string;
  entry: EntryWire;
  successor: SummaryRunWire | null;
  onChanged: () => void;
  renderEntry: (entry: EntryWire) => ReactNode;
}

export function CompactionRow(props: CompactionRowProps) {
  const { compaction, position } = props.entry;
  const isOnPaper = useOnPaper();
  if (!compaction) return null;
  if (!isOnPaper) return <Compaction {...props} compaction={compaction} />;
  return (
    <section className="my-2 rounded-lg border border-edge/60 border-dashed px-4 py-3">
      <CompactionHeading compaction={compaction} position={position} />
      <Markdown text={compaction.summary} />
    </section>
  );
}

type CompactionProps = CompactionRowProps & { compaction: CompactionWire };

function Compaction(props: CompactionProps) {
  const { sessionId, entry, compaction, successor, onChanged, renderEntry } = props;
  const stateKey = `${sessionId}/${compaction.id}`;
  const [view, setView] = useKeptState<CompactionView>(`${stateKey}/view`, "closed");
  const [showsOriginals, setShowsOriginals] = useKeptState(`${stateKey}/originals`, false);
  const { undo, isUndoing } = useUndoCompaction(sessionId, onChanged);
  const panelId = useId();
  useEffect(() => {
    // Rows far from view are unmounted.
    if (readTextDraft(summaryDraftKey(compaction.id))) setView("edit");
  }, [compaction.id, setView]);
  return (
    <section
      aria-label={compactionTitle(compaction, entry.position)}
      className="flex flex-col gap-3 py-2"
    >
      <div className="rounded-lg border border-edge/60 border-dashed bg-raised">
        <header className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2">
          <CompactionHeading compaction={compaction} position={entry.position} />
          <div className="-ms-2.5 flex items-center sm:ms-0">
            <Button
              size="sm"
              variant="ghost"
              aria-expanded={view === "read"}
              aria-controls={panelId}
              onClick={() => setView(view === "read" ? "closed" : "read")}
            >
              <BookOpenText aria-hidden />
              {view === "read" ? "Close" : "View"}
            </Button>
            <Button
              size="sm"
              variant="ghost"
              aria-expanded={showsOriginals}
              onClick={() => setShowsOriginals(!showsOriginals)}
            >
              <UnfoldVertical aria-hidden />
              {showsOriginals ? "Hide originals" : "Show originals"}
            </Button>
            <Writes>
              <CompactionMenu
                onView={setView}
                onUndo={() => undo(compaction.id)}
                isUndoing={isUndoing}
              />
            </Writes>
          </div>
        </header>
        {successor && (
          <div className="border-line border-t px-4 py-3">
            <SummaryInWriting summary={successor} />
          </div>
        )}
        <div id={panelId} hidden={view === "closed"} className="border-line border-t px-4 py-3">
          <CompactionPanel {...props} view={view} onView={setView} />
        </div>
      </div>
      {showsOriginals && (
        <OriginalMessages sessionId={sessionId} compaction={compaction} renderEntry={renderEntry} />
      )}
    </section>
  );
}

function CompactionHeading({
  compaction,
  position,
}: {
  compaction: CompactionWire;
  position: number;
}) {
  const nameOf = useModelName();
  return (
    <>
      <FoldVertical aria-hidden className="size-4 shrink-0 text-accent" />
      <div className="min-w-48 flex-1">
        <p className="font-medium text-sm">{compactionTitle(compaction, position)}</p>
        <p className="text-faint text-xs tabular-nums">{compactionFacts(compaction, nameOf)}</p>
      </div>
    </>
  );
}

type CompactionPanelProps = CompactionProps & {
  view: CompactionView;
  onView: (view: CompactionView) => void;
};

function CompactionPanel({
  sessionId,
  leafId,
  compaction,
  onChanged,
  view,
  onView,
}: CompactionPanelProps) {
  switch (view) {
    case "closed":
      return null;
    case "read":
      return <Markdown text={compaction.summary} />;
    case "edit":
      return (
        <SummaryEditor
          sessionId={sessionId}
          compaction={compaction}
          onDone={() => onView("read")}
          onChanged={onChanged}
        />
      );
    case "redo":
      return (
        <RedoPanel
          sessionId={sessionId}
          leafId={leafId}
          compaction={compaction}
          onClose={() => onView("closed")}
        />
      );
  }
}

interface CompactionMenuProps {
  onView: (view: CompactionView) => void;
  onUndo: () => void;
  isUndoing: boolean;
}

function CompactionMenu({ onView, onUndo, isUndoing }: CompactionMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label="Summary actions" tooltip="none" disabled={isUndoing}>
          <Ellipsis aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onView("edit")}>
        Edit summary
      </MenuItem>
      <MenuItem icon={<Sparkles aria-hidden />} onSelect={() => onView("redo")}>
        Redo with focus
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Undo2 aria-hidden />}
        note="Restores the original messages"
        onSelect={onUndo}
      >
        Undo
      </MenuItem>
    </Menu>
  );
}

type CompactionView = "closed" | "read" | "edit" | "redo";

interface RedoPanelProps {
  sessionId: string;
  leafId: string;
  compaction: CompactionWire;
  onClose: () => void;
}

function RedoPanel({ sessionId, leafId, compaction, onClose }: RedoPanelProps) {
  const compact = useCompacting(sessionId);
  const [typed, setTyped] = useState(compaction.focus ?? "");

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    onClose();
    const focus = typed.trim();
    void compact({ leafId, ...(focus !== "" && { focus }), replaces: compaction.id });
  }

  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-2.5">
      <FocusField value={typed} onChange={setTyped} autoFocus />
      <div className="flex items-center justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit">
          Rewrite
        </Button>
      </div>
    </form>
  );
}

"use client";

import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import type { MemoryScope } from "@/app/_api/query-keys";
import { blockTitle } from "@/app/_data/memory/block-words";
import { useBlocks } from "@/app/_data/memory/use-blocks";
import { openedFile } from "@/app/_message/files/file-viewer-dialog";
import { Dialog } from "@/app/_ui/dialog";
import { ListSkeleton } from "@/app/_ui/loading";
import { Markdown } from "@/app/_ui/markdown/markdown";
import { ErrorNotice } from "@/app/_ui/notice";
import { Section } from "@/app/_ui/section";
import { filesLabel } from "@/lib/chat/wire/knowledge";
import type { BlockWire, EntryDocumentWire } from "@/lib/chat/wire/memory";
import { memoryGroups } from "./block-kinds";
import { useEntries, useEntry } from "./use-entries";

type Group = keyof ReturnType<typeof memoryGroups>;

const titles: Readonly<Record<Group, string>> = {
  instructions: "Instructions",
  blocks: "Memory",
  knowledge: "Knowledge",
  skills: "Skills",
};

const allGroups: readonly Group[] = ["instructions", "blocks", "knowledge", "skills"];

/** Shows memory to people who may only read, without a control that changes it. */
export function ReadMemory({
  sessionId,
  groups: shown = allGroups,
}: {
  readonly sessionId: MemoryScope;
  readonly groups?: readonly Group[];
}) {
  const blocks = useBlocks(sessionId);
  if (blocks.isError && !blocks.data) return <Failure of={blocks} className="m-4" />;
  if (!blocks.data) return <ListSkeleton label="Loading memory" rows={6} />;
  const groups = memoryGroups(blocks.data);
  return (
    <div className="flex flex-col gap-7">
      {shown.map((name) => (
        <Section key={name} title={titles[name]}>
          {groups[name].map((block) => (
            <ReadBlock key={block.id} sessionId={sessionId} block={block} />
          ))}
          {name === "knowledge" && (
            <ReadEntries sessionId={sessionId} block={{ id: filesLabel, label: "Files" }} />
          )}
        </Section>
      ))}
    </div>
  );
}

interface ReadBlockProps {
  readonly sessionId: MemoryScope;
  readonly block: BlockWire;
}

function ReadBlock({ sessionId, block }: ReadBlockProps) {
  if (block.error !== null) return <ErrorNotice>{block.error}</ErrorNotice>;
  if (block.entryCount !== null) return <ReadEntries sessionId={sessionId} block={block} />;
  const title = blockTitle(block.label);
  return (
    <article
      aria-label={title}
      className="flex flex-col gap-2.5 rounded-lg border border-line bg-raised p-3.5"
    >
      <h3 className="font-medium text-sm">{title}</h3>
      {block.content === "" ? (
        <p className="text-faint text-sm">Nothing here yet.</p>
      ) : (
        <div className="prose-compact">
          <Markdown text={block.content} />
        </div>
      )}
    </article>
  );
}

interface ReadEntriesProps {
  readonly sessionId: MemoryScope;
  readonly block: Pick<BlockWire, "id" | "label">;
}

function ReadEntries({ sessionId, block }: ReadEntriesProps) {
  const entries = useEntries(sessionId, block.id);
  const [opened, setOpened] = useState<EntryDocumentWire | null>(null);
  function open(entry: EntryDocumentWire) {
    const { file, title: name } = entry;
    if (file) openedFile.update(() => ({ file: { ...file, name }, page: 1 }));
    else setOpened(entry);
  }
  if (entries.isError) return <Failure of={entries} />;
  if (!entries.data) return <ListSkeleton label="Loading entries" rows={2} />;
  const title = blockTitle(block.label);
  if (entries.data.length === 0) return <p className="text-faint text-sm">{title}: none yet.</p>;
  return (
    <>
      <ul
        aria-label={title}
        className="divide-y divide-line rounded-lg border border-line bg-raised px-3.5"
      >
        {entries.data.map((entry) => (
          <li key={entry.key} className="py-1">
            <button
              type="button"
              className="min-h-9 w-full text-left text-sm [overflow-wrap:anywhere] hover:underline"
              onClick={() => open(entry)}
            >
              <bdi>{entry.title}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {opened && <ReadEntry blockId={block.id} entry={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

interface ReadEntryProps {
  readonly blockId: string;
  readonly entry: EntryDocumentWire;
  readonly onClose: () => void;
}

function ReadEntry({ blockId, entry, onClose }: ReadEntryProps) {
  const read = useEntry(blockId, entry.key);
  return (
    <Dialog title={entry.title} onClose={onClose} width="lg">
      <Failure of={read} />
      {!read.data && !read.isError && <ListSkeleton label="Loading entry" rows={4} />}
      {read.data && (
        <p dir="auto" className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
          {read.data.content}
        </p>
      )}
    </Dialog>
  );
}

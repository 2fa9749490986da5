"use client";

import { type ReactNode, useState } from "react";
import { Failure } from "@/app/_api/failure";
import { isFirstTry } from "@/app/_api/first-try";
import { readTextDraft } from "@/app/_data/memory/text-draft";
import { useBlocks } from "@/app/_data/memory/use-blocks";
import { useOpenProposals } from "@/app/_data/memory/use-proposals";
import { Fold } from "@/app/_ui/fold";
import { ListSkeleton } from "@/app/_ui/loading";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { Section } from "@/app/_ui/section";
import type { UseWire } from "@/lib/chat/wire/context";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { BlockCard } from "./block-card";
import { NewBlockButton } from "./block-dialog";
import { memoryGroups, shownKinds } from "./block-kinds";
import { KeyedBlock } from "./keyed-block";
import { MemoryModeSwitch } from "./memory-mode-switch";
import { OpenProposals } from "./open-proposals";
import { ReadMemory } from "./read-memory";
import { blockDraftKey } from "./use-autosave";
import { UsedMark, usedAs, useUses } from "./used-mark";

export interface MemoryTabProps {
  sessionId: string;
  answerId: string | null;
  onOpenLeaf: (messageId: string) => void;
}

export function MemoryTab(props: MemoryTabProps) {
  if (!useReadsOnly()) return <WrittenMemory {...props} />;
  return (
    <div className="p-4 pb-10">
      <ReadMemory sessionId={props.sessionId} />
    </div>
  );
}

function WrittenMemory({ sessionId, answerId, onOpenLeaf }: MemoryTabProps) {
  const blocks = useBlocks(sessionId);
  const proposals = useOpenProposals(sessionId);
  const uses = useUses(sessionId, answerId);
  if (blocks.isError && !blocks.data) {
    return <Failure of={blocks} className="m-4" />;
  }
  if (!blocks.data || isFirstTry(proposals))
    return <ListSkeleton label="Loading memory" rows={8} />;

  const groups = memoryGroups(blocks.data);
  const own = [...groups.instructions, ...groups.knowledge, ...groups.skills].filter(
    ({ isOwn }) => isOwn,
  );
  const cards = (group: readonly BlockWire[]): ReactNode =>
    group.map((block) => (
      <BlockCard
        key={block.id}
        sessionId={sessionId}
        block={block}
        use={usedAs(uses, block.label)}
        onOpenLeaf={onOpenLeaf}
      />
    ));
  const lists = (group: readonly BlockWire[]): ReactNode =>
    group.map((block) => (
      <KeyedBlock
        key={block.id}
        sessionId={sessionId}
        block={block}
        uses={uses}
        onOpenLeaf={onOpenLeaf}
      />
    ));

  return (
    <div className="flex flex-col gap-7 p-4 pb-10">
      <OpenProposals sessionId={sessionId} onOpenLeaf={onOpenLeaf} />
      <Section
        title="Memory"
        note="Always included in the prompt."
        actions={<NewBlockButton sessionId={sessionId} />}
      >
        {cards(groups.blocks)}
      </Section>
      {own.length > 0 && (
        <Section title="Your sections">
          {cards(own.filter(isText))}
          {lists(own.filter((block) => !isText(block)))}
        </Section>
      )}
      <MemoryModeSwitch sessionId={sessionId} />
      <div className="flex flex-col gap-2">
        {(["instructions", "knowledge", "skills"] as const).map((name) => {
          const group = groups[name].filter(({ isOwn }) => !isOwn);
          return (
            <GroupFold key={name} sessionId={sessionId} name={name} group={group} uses={uses}>
              {name === "instructions" ? cards(group) : lists(group)}
            </GroupFold>
          );
        })}
      </div>
    </div>
  );
}

function isText({ kind }: BlockWire): boolean {
  return shownKinds[kind].entries === null;
}

const folds = {
  instructions: { title: "Instructions", note: "Written by you, read by the model." },
  knowledge: { title: "Knowledge", note: "Searched by the model when relevant." },
  skills: { title: "Skills", note: "Instructions the model loads when needed." },
} as const;

interface GroupFoldProps {
  sessionId: string;
  name: keyof typeof folds;
  group: readonly BlockWire[];
  uses: readonly UseWire[];
  children: ReactNode;
}

function GroupFold({ sessionId, name, group, uses, children }: GroupFoldProps) {
  const [isOpen, setOpen] = useState(() =>
    group.some(
      (block) => block.error !== null || readTextDraft(blockDraftKey(sessionId, block)) !== null,
    ),
  );
  if (group.length === 0) return null;
  const count = group.reduce((sum, { entryCount }) => sum + (entryCount ?? 0), 0);
  const use = uses.find(({ label }) => group.some((block) => block.label === label));
  const { title, note } = folds[name];
  return (
    <Fold
      isOpen={isOpen}
      onToggle={setOpen}
      chevron="end"
      summary={
        <>
          <h2 className="font-semibold text-base text-ink tracking-tight">{title}</h2>
          {count > 0 && <span className="text-faint">{count}</span>}
          {use && <UsedMark use={use} />}
        </>
      }
    >
      <div className="flex flex-col gap-2.5 pt-1 pb-3">
        <p className="text-faint text-xs">{note}</p>
        {children}
      </div>
    </Fold>
  );
}

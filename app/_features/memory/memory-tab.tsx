"use client";

import type { ReactNode } from "react";
import { Failure } from "@/app/_api/failure";
import { isFirstTry } from "@/app/_api/first-try";
import { useContextOf } from "@/app/_data/context/use-context-of";
import { useBlocks } from "@/app/_data/memory/use-blocks";
import { useOpenProposals } from "@/app/_data/memory/use-proposals";
import { ListSkeleton } from "@/app/_ui/loading";
import { Section } from "@/app/_ui/section";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { BlockCard } from "./block-card";
import { NewBlockButton } from "./block-dialog";
import { memoryGroups } from "./block-kinds";
import { KeyedBlock } from "./keyed-block";
import { MemoryModeSwitch } from "./memory-mode-switch";
import { OpenProposals } from "./open-proposals";
import { PendingChanges } from "./pending-changes";
import { usedAs, useUses } from "./used-mark";

export interface MemoryTabProps {
  sessionId: string;
  leafId: string | null | undefined;
  answerId: string | null;
  onOpenLeaf: (messageId: string) => void;
}

export function MemoryTab({ sessionId, leafId, answerId, onOpenLeaf }: MemoryTabProps) {
  const blocks = useBlocks(sessionId);
  const context = useContextOf(sessionId, leafId);
  const proposals = useOpenProposals(sessionId);
  const uses = useUses(sessionId, answerId);
  if (blocks.isError && !blocks.data) {
    return <Failure of={blocks} className="m-4" />;
  }
  // The page asks for the context once it has settled.
  const isEarly = (context.isPending && context.failureCount === 0) || isFirstTry(proposals);
  if (!blocks.data || isEarly) return <ListSkeleton label="Loading memory" rows={8} />;

  const changes = context.data?.changes ?? [];
  const groups = memoryGroups(blocks.data);
  const pending = new Set(changes.map((change) => change.label));
  const cards = (group: readonly BlockWire[]): ReactNode =>
    group.map((block) => (
      <BlockCard
        key={block.id}
        sessionId={sessionId}
        block={block}
        isPending={pending.has(block.label)}
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
      <PendingChanges sessionId={sessionId} changes={changes} />
      <Group
        title="Memory"
        note="Always included in the prompt."
        actions={<NewBlockButton sessionId={sessionId} />}
      >
        {cards(groups.blocks)}
      </Group>
      <MemoryModeSwitch sessionId={sessionId} />
      <Group title="Instructions" note="Written by you, read by the model.">
        {cards(groups.instructions)}
      </Group>
      <Group title="Knowledge" note="Searched by the model when relevant.">
        {lists(groups.knowledge)}
      </Group>
      <Group title="Skills" note="Instructions the model loads when needed.">
        {lists(groups.skills)}
      </Group>
    </div>
  );
}

interface GroupProps {
  title: string;
  note: string;
  actions?: ReactNode;
  children: ReactNode;
}

function Group({ title, note, actions, children }: GroupProps) {
  if (Array.isArray(children) && children.length === 0) return null;
  return (
    <Section title={title} note={note} actions={actions}>
      {children}
    </Section>
  );
}

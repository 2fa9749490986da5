"use client";

import { useRouter } from "next/navigation";
import { useBlocks } from "@/app/_data/memory/use-blocks";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { EmptyState } from "@/app/_ui/notice";
import { inSpace } from "@/app/_ui/page-space";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { SettingsSection } from "@/app/_ui/settings-section";
import { memoryGroups } from "./block-kinds";
import { KeyedBlock } from "./keyed-block";
import { KnowledgeFiles } from "./knowledge-files";
import { ReadMemory } from "./read-memory";

const words = {
  knowledge: {
    title: "Knowledge",
    note: "Notes and files the model searches when relevant. Stored on your server.",
  },
  skills: {
    title: "Skills",
    note: "Instructions for specific tasks. The model sees the descriptions and loads one when needed.",
  },
} as const;

export function EntriesSection({ group }: { group: keyof typeof words }) {
  if (!useReadsOnly()) return <WrittenEntries group={group} />;
  return (
    <SettingsSection {...words[group]}>
      <ReadMemory sessionId={null} groups={[group]} />
    </SettingsSection>
  );
}

function WrittenEntries({ group }: { group: keyof typeof words }) {
  const router = useRouter();
  const blocks = useBlocks(null);
  if (!blocks.data) return <SectionPending query={blocks} />;
  const keyed = memoryGroups(blocks.data)[group].filter(({ entryCount }) => entryCount !== null);
  return (
    <SettingsSection {...words[group]}>
      {keyed.length === 0 && <EmptyState title="Not available" />}
      {keyed.map((block) => (
        <KeyedBlock
          key={block.label}
          sessionId={null}
          block={block}
          onOpenLeaf={() => router.push(inSpace("/"))}
        />
      ))}
      {group === "knowledge" && <KnowledgeFiles />}
    </SettingsSection>
  );
}

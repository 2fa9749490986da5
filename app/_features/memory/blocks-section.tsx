"use client";

import { useRouter } from "next/navigation";
import { isFirstTry } from "@/app/_api/first-try";
import { toastError } from "@/app/_api/toast-error";
import { useBlocks } from "@/app/_data/memory/use-blocks";
import { useOpenProposals } from "@/app/_data/memory/use-proposals";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { useChangeSettings, useSettings } from "@/app/_data/settings/use-settings";
import { useMarkdownReady } from "@/app/_ui/markdown/markdown";
import { inSpace, pageSpace } from "@/app/_ui/page-space";
import { useReadsOnly } from "@/app/_ui/reads-only";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import { Segmented } from "@/app/_ui/toggles";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { BlockCard } from "./block-card";
import { NewBlockButton } from "./block-dialog";
import { memoryGroups } from "./block-kinds";
import { memoryModes } from "./memory-mode-switch";
import { OpenProposals } from "./open-proposals";
import { ReadMemory } from "./read-memory";

export function BlocksSection() {
  if (!useReadsOnly()) return <WrittenBlocks />;
  return (
    <SettingsSection title="Personalization" note="Part of every prompt.">
      <ReadMemory sessionId={null} groups={["instructions", "blocks"]} />
    </SettingsSection>
  );
}

function WrittenBlocks() {
  const router = useRouter();
  const blocks = useBlocks(null);
  const isEarly = [useSettings(), useOpenProposals(null)].some(isFirstTry);
  const canFormat = useMarkdownReady();
  if (!blocks.data || isEarly || !canFormat) return <SectionPending query={blocks} />;
  const groups = memoryGroups(blocks.data.filter(({ scope }) => scope === "owner"));
  return (
    <SettingsSection
      title="Personalization"
      note="Part of every prompt. A chat takes changes up after a break."
    >
      {pageSpace === null && <DefaultMemoryMode />}
      <OpenProposals sessionId={null} onOpenLeaf={() => router.push(inSpace("/"))} />
      <SettingsGroup title="Instructions" note="Written by you, read by the model.">
        <Cards blocks={groups.instructions} />
      </SettingsGroup>
      <SettingsGroup
        title="Memory"
        note="Always included in the prompt."
        action={<NewBlockButton sessionId={null} />}
      >
        <Cards blocks={groups.blocks} />
      </SettingsGroup>
    </SettingsSection>
  );
}

function Cards({ blocks }: { blocks: readonly BlockWire[] }) {
  const router = useRouter();
  return blocks.map((block) => (
    <BlockCard
      key={block.label}
      sessionId={null}
      block={block}
      onOpenLeaf={() => router.push(inSpace("/"))}
    />
  ));
}

function DefaultMemoryMode() {
  const settings = useSettings();
  const change = useChangeSettings();
  const stored = settings.data?.memoryMode;
  const shown = change.isPending ? (change.variables.memoryMode ?? stored) : stored;
  if (!shown) return null;
  return (
    <SettingsCard>
      <SettingsLine
        title="Let the model update memory"
        note="Default for new chats. You can change it per chat in the Memory tab."
      >
        <Segmented
          label="Let the model update memory in new chats"
          value={shown}
          onChange={(memoryMode) => change.mutate({ memoryMode }, { onError: toastError })}
          options={memoryModes}
        />
      </SettingsLine>
    </SettingsCard>
  );
}

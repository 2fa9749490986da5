"use client";

import { Shrink } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Failure } from "@/app/_api/failure";
import { isFirstTry } from "@/app/_api/first-try";
import { useCompactionPreview } from "@/app/_data/compaction/use-compactions";
import { useContextOf, useSkillLoading } from "@/app/_data/context/use-context-of";
import { personalTitle } from "@/app/_data/memory/block-words";
import { useTree } from "@/app/_data/tree/use-tree";
import { Button } from "@/app/_ui/button";
import { Fold } from "@/app/_ui/fold";
import { formatTokens } from "@/app/_ui/format-amount";
import { ListSkeleton } from "@/app/_ui/loading";
import { Writes } from "@/app/_ui/reads-only";
import { Section } from "@/app/_ui/section";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { CompactionPreviewWire } from "@/lib/chat/wire/compaction";
import type { ContextWire } from "@/lib/chat/wire/context";
import { AssistantUse } from "./assistant-use";
import { CompactDialog } from "./compact-dialog";
import { CompactionList } from "./compaction-list";
import { GaugeBar, GaugeFacts, GaugeLegend, GaugeWarning, SpaceLeft } from "./gauge-bar";
import { gaugeView } from "./gauge-view";
import { LastRequest } from "./last-request";
import { MemoryUpdate } from "./memory-update";
import { PromptText } from "./prompt-text";

export interface ContextTabProps {
  sessionId: string;
  leafId: string | null | undefined;
}

export function ContextTab({ sessionId, leafId }: ContextTabProps) {
  const hasPath = leafId !== null;
  const context = useContextOf(sessionId, leafId);
  const tree = useTree(sessionId);
  const preview = useCompactionPreview(sessionId, leafId ?? null, {
    enabled: hasPath,
    keepsPrevious: true,
  });
  if (context.isError && !context.data) {
    return <Failure of={context} className="m-4" />;
  }
  if (!context.data || isFirstTry(tree) || isFirstTry(preview))
    return <ListSkeleton label="Loading context" rows={8} />;
  const { personal, programAnswerId } = context.data;
  return (
    <div className="flex flex-col gap-7 p-4 pb-10">
      <Window
        sessionId={sessionId}
        leafId={leafId}
        context={context.data}
        preview={hasPath ? preview.data : undefined}
      />
      {programAnswerId !== undefined && (
        <LastRequest sessionId={sessionId} answerId={programAnswerId} />
      )}
      {context.data.assistant && (
        <AssistantUse sessionId={sessionId} assistant={context.data.assistant} />
      )}
      <Knowledge given={context.data.knowledge} />
      <MemoryUpdate
        sessionId={sessionId}
        changes={context.data.changes}
        personal={personal?.changes ?? []}
      />
      <Details>
        <GaugeLegend view={gaugeView(context.data.gauge)} />
        <GaugeFacts gauge={context.data.gauge} preview={hasPath ? preview.data : undefined} />
        <Section title="Summaries">
          <CompactionList sessionId={sessionId} leafId={leafId} />
        </Section>
        <Section title="Loaded skills">
          <LoadedSkills sessionId={sessionId} context={context.data} />
        </Section>
        <Section title="System prompt" note="Sent to the model before the messages.">
          <PromptText prompt={context.data.prompt} />
        </Section>
        {personal && (
          <Section
            title="Your own memory"
            note="Follows the system prompt. The project comes first."
          >
            <PromptText prompt={personal.prompt} titleOf={personalTitle} />
          </Section>
        )}
      </Details>
    </div>
  );
}

function Knowledge({ given }: { given: ContextWire["knowledge"] }) {
  return given && <p className="text-muted text-sm">Files: {knowledgeWords[given]}</p>;
}

const knowledgeWords = {
  whole: "their text is part of the system prompt.",
  searched: "searched and read by page when needed.",
  "left-out": "not given, as no tool may search them here.",
} as const;

function Details({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useKeptState("context/details", false);
  return (
    <Fold isOpen={isOpen} onToggle={setOpen} summary="Details">
      <div className="flex flex-col gap-7 pt-4">{children}</div>
    </Fold>
  );
}

interface WindowProps extends ContextTabProps {
  context: ContextWire;
  preview: CompactionPreviewWire | undefined;
}

function Window({ sessionId, leafId, context, preview }: WindowProps) {
  const [isCompacting, setCompacting] = useState(false);
  const view = gaugeView(context.gauge);
  return (
    <Section
      title="Context window"
      actions={
        leafId !== null && (
          <Writes>
            <Button size="sm" onClick={() => setCompacting(true)}>
              <Shrink aria-hidden />
              Summarize
            </Button>
          </Writes>
        )
      }
    >
      <GaugeBar gauge={context.gauge} view={view} />
      <GaugeWarning view={view} />
      <SpaceLeft gauge={context.gauge} view={view} preview={preview} />
      {isCompacting && (
        <CompactDialog
          sessionId={sessionId}
          leafId={leafId ?? null}
          onClose={() => setCompacting(false)}
        />
      )}
    </Section>
  );
}

function LoadedSkills({ sessionId, context }: { sessionId: string; context: ContextWire }) {
  const loading = useSkillLoading(sessionId);
  if (context.loadedSkills.length === 0) {
    return <p className="text-faint text-sm">No skills loaded.</p>;
  }
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line bg-raised px-3.5">
        {context.loadedSkills.map(({ label, key }) => {
          const tokens = tokensOf(context, key);
          const isUnloading = loading.isPending && loading.variables.key === key;
          return (
            <li key={`${label} ${key}`} className="flex items-center gap-3 py-2">
              <p className="min-w-0 flex-1 truncate font-medium text-sm">{key}</p>
              {tokens !== null && (
                <span className="text-faint text-xs tabular-nums">{formatTokens(tokens)}</span>
              )}
              <Writes>
                <Button
                  size="sm"
                  variant="ghost"
                  busy={isUnloading}
                  aria-label={`Unload ${key}`}
                  onClick={() => loading.mutate({ label, key, action: "unload" })}
                >
                  Unload
                </Button>
              </Writes>
            </li>
          );
        })}
      </ul>
      <Failure of={loading} />
    </>
  );
}

function tokensOf({ gauge }: ContextWire, key: string): number | null {
  const part = gauge.parts.find(({ source, label }) => source === "skills" && label === key);
  return part?.tokens ?? null;
}

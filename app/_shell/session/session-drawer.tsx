"use client";

import { X } from "lucide-react";
import { Tabs as RadixTabs } from "radix-ui";
import { lazy, type ReactNode, Suspense } from "react";
import { useOpenProposals } from "@/app/_data/memory/use-proposals";
import type { DrawerTab } from "@/app/_data/page/shell-store";
import { Badge } from "@/app/_ui/badge";
import { IconButton } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { ListSkeleton } from "@/app/_ui/loading";

const MemoryTab = lazy(() =>
  import("@/app/_features/memory/memory-tab").then((module) => ({ default: module.MemoryTab })),
);
const ContextTab = lazy(() =>
  import("@/app/_features/context/context-tab").then((module) => ({ default: module.ContextTab })),
);
const TreeTab = lazy(() =>
  import("@/app/_features/tree/tree-tab").then((module) => ({ default: module.TreeTab })),
);

export interface SessionDrawerProps {
  sessionId: string;
  /** `null` before the first message; `undefined` while unknown. */
  leafId: string | null | undefined;
  answerId: string | null;
  tab: DrawerTab;
  onTabChange: (tab: DrawerTab) => void;
  onClose?: () => void;
  onOpenLeaf: (messageId: string) => void;
  onOpenSummary: (toMessageId: string) => void;
  /** `null`: before the first message. `question` goes into the composer. */
  onContinueAfter: (messageId: string | null, question?: string) => void;
  onCarryOver: (messageId: string | null, question?: string) => void;
  onCompare: (left: string, right: string) => void;
  /** Asks for a message's label, now `null` when it has none. */
  onLabel: (messageId: string, label: string | null) => void;
  onDeleted: (messageIds: readonly string[]) => void;
}

export function SessionDrawer({
  sessionId,
  leafId,
  answerId,
  tab,
  onTabChange,
  onClose,
  onOpenLeaf,
  onOpenSummary,
  onContinueAfter,
  onCarryOver,
  onCompare,
  onLabel,
  onDeleted,
}: SessionDrawerProps) {
  const place = { sessionId, leafId };
  return (
    <Tabs
      label="Memory, context and tree"
      value={tab}
      onChange={onTabChange}
      className="h-full"
      end={
        onClose && (
          <IconButton label="Close" onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        )
      }
      tabs={[
        {
          value: "memory",
          label: <MemoryLabel sessionId={sessionId} />,
          content: waiting(
            <MemoryTab key={sessionId} {...place} answerId={answerId} onOpenLeaf={onOpenLeaf} />,
          ),
        },
        {
          value: "context",
          label: "Context",
          content: waiting(<ContextTab key={sessionId} {...place} />),
        },
        {
          value: "tree",
          label: "Tree",
          content: waiting(
            <TreeTab
              key={sessionId}
              {...place}
              onOpenLeaf={onOpenLeaf}
              onOpenSummary={onOpenSummary}
              onContinueAfter={onContinueAfter}
              onCarryOver={onCarryOver}
              onCompare={onCompare}
              onLabel={onLabel}
              onDeleted={onDeleted}
            />,
          ),
        },
      ]}
    />
  );
}

function MemoryLabel({ sessionId }: { sessionId: string }) {
  const waitingCount = useOpenProposals(sessionId).data?.length ?? 0;
  if (waitingCount === 0) return "Memory";
  return (
    <span className="flex items-center gap-1.5">
      Memory
      <Badge tone="accent">
        {waitingCount}
        <span className="sr-only"> waiting for you</span>
      </Badge>
    </span>
  );
}

function waiting(content: ReactNode): ReactNode {
  return <Suspense fallback={<ListSkeleton label="Loading" rows={8} />}>{content}</Suspense>;
}

interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: ReactNode; content: ReactNode }[];
  end?: ReactNode;
  className?: string;
}

/** Only the chosen tab is mounted. */
function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  end,
  className,
}: TabsProps<Value>) {
  return (
    <RadixTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={classNames("flex min-h-0 flex-col", className)}
    >
      <div className="flex h-13 shrink-0 items-center gap-1 border-line border-b px-3">
        <RadixTabs.List
          aria-label={label}
          className="flex h-full min-w-0 flex-1 items-stretch gap-1"
        >
          {tabs.map((tab) => (
            <RadixTabs.Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px border-transparent border-b-2 px-2.5 font-medium text-muted text-sm -outline-offset-2 transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
            >
              {tab.label}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        {end}
      </div>
      {tabs.map((tab) => (
        <RadixTabs.Content
          key={tab.value}
          value={tab.value}
          className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
        >
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}

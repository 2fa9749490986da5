"use client";

import { X } from "lucide-react";
import { Tabs } from "radix-ui";
import { lazy, Suspense } from "react";
import { useOpenProposals } from "@/app/_data/memory/use-proposals";
import type { DrawerTab } from "@/app/_data/page/shell-store";
import type { TreeTabProps } from "@/app/_features/tree/tree-tab";
import { Badge } from "@/app/_ui/badge";
import { IconButton } from "@/app/_ui/button";
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

export interface SessionDrawerProps extends TreeTabProps {
  answerId: string | null;
  tab: DrawerTab;
  onTabChange: (tab: DrawerTab) => void;
  onClose: () => void;
}

export function SessionDrawer(props: SessionDrawerProps) {
  const { answerId, tab, onTabChange, onClose, ...tree } = props;
  const { sessionId, leafId, onOpenLeaf } = tree;
  const place = { sessionId, leafId };
  const tabs = [
    {
      value: "memory",
      label: <MemoryLabel sessionId={sessionId} />,
      content: (
        <MemoryTab
          key={sessionId}
          sessionId={sessionId}
          answerId={answerId}
          onOpenLeaf={onOpenLeaf}
        />
      ),
    },
    { value: "context", label: "Context", content: <ContextTab key={sessionId} {...place} /> },
    { value: "tree", label: "Tree", content: <TreeTab key={sessionId} {...tree} /> },
  ];
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => onTabChange(next as DrawerTab)}
      className="flex h-full min-h-0 flex-col"
    >
      <div className="flex h-13 shrink-0 items-center gap-1 border-line border-b px-3">
        <Tabs.List
          aria-label="Memory, context and tree"
          className="flex h-full min-w-0 flex-1 items-stretch gap-1"
        >
          {tabs.map(({ value, label }) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className="-mb-px border-transparent border-b-2 px-2.5 font-medium text-muted text-sm -outline-offset-2 transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <IconButton label="Close" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      {tabs.map(({ value, content }) => (
        <Tabs.Content
          key={value}
          value={value}
          className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
        >
          <Suspense fallback={<ListSkeleton label="Loading" rows={8} />}>{content}</Suspense>
        </Tabs.Content>
      ))}
    </Tabs.Root>
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

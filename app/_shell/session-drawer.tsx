"use client";

import { X } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useOpenProposals } from "@/app/_features/memory/proposals/use-proposals";
import { Badge } from "@/app/_ui/badge";
import { IconButton } from "@/app/_ui/icon-button";
import { ListSkeleton } from "@/app/_ui/list-skeleton";
import { Tabs } from "@/app/_ui/tabs";
import type { DrawerTab } from "./drawer-tab";

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

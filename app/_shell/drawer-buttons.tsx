"use client";

import { Gauge, ListTree, NotebookPen, PanelRight } from "lucide-react";
import { useOpenProposals } from "@/app/_features/memory/proposals/use-proposals";
import { IconButton } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { useMediaQuery } from "@/app/_ui/use-media-query";
import type { DrawerTab } from "./drawer-tab";
import { useDrawer } from "./use-shell";

const buttons: readonly { tab: DrawerTab; label: string; icon: typeof Gauge }[] = [
  { tab: "memory", label: "Memory", icon: NotebookPen },
  { tab: "context", label: "Context", icon: Gauge },
  { tab: "tree", label: "Tree", icon: ListTree },
];

/** The open tab's button closes the drawer. A phone has space for one button. */
export function DrawerButtons({ sessionId }: { sessionId: string | null }) {
  const drawer = useDrawer();
  const waiting = useWaitingCount(sessionId);
  const hasWords = useMediaQuery("(min-width: 80rem)");
  return (
    <>
      <div className="sm:hidden">
        <IconButton
          label={withWaiting("Memory, context and tree", waiting)}
          tooltip="none"
          onClick={() => drawer.open()}
        >
          <PanelRight aria-hidden />
          {waiting > 0 && <WaitingMark count={waiting} />}
        </IconButton>
      </div>
      <div className="hidden items-center gap-0.5 sm:flex">
        {buttons.map(({ tab, label, icon: Icon }) => {
          const isShown = drawer.isOpen && drawer.tab === tab;
          return (
            <IconButton
              key={tab}
              label={tab === "memory" ? withWaiting(label, waiting) : label}
              aria-pressed={isShown}
              tooltip={hasWords ? "none" : "bottom"}
              onClick={() => (isShown ? drawer.close() : drawer.open(tab))}
              className={classNames("xl:w-auto xl:gap-1.5 xl:px-2.5", isShown && "bg-hover")}
            >
              <Icon aria-hidden />
              <span className="hidden text-sm xl:inline">{label}</span>
              {tab === "memory" && waiting > 0 && <WaitingMark count={waiting} />}
            </IconButton>
          );
        })}
      </div>
    </>
  );
}

function useWaitingCount(sessionId: string | null): number {
  return useOpenProposals(sessionId, { enabled: sessionId !== null }).data?.length ?? 0;
}

function withWaiting(label: string, count: number): string {
  if (count === 0) return label;
  return `${label}, ${count} ${count === 1 ? "suggestion waiting" : "suggestions waiting"}`;
}

/** Hidden from screen readers: the button's name says the number. */
function WaitingMark({ count }: { count: number }) {
  return (
    <span
      aria-hidden
      data-count={count}
      className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-accent px-1 text-center font-medium text-2xs text-on-accent leading-4 before:content-[attr(data-count)]"
    />
  );
}

"use client";

import {
  Gauge,
  ListTree,
  Menu as MenuIcon,
  NotebookPen,
  PanelLeft,
  PanelRight,
} from "lucide-react";
import dynamic from "next/dynamic";
import {
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from "react";
import { useOpenProposals } from "@/app/_data/memory/use-proposals";
import { type DrawerTab, shellStore, useDrawer } from "@/app/_data/page/shell-store";
import { NewChatLink } from "@/app/_features/sessions/new-chat-link";
import { SessionHeading } from "@/app/_features/sessions/session-heading";
import { IconButton } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { type OpenedCode, OpenPreview } from "@/app/_ui/preview/open-preview";
import { useReadsOnly, Writes } from "@/app/_ui/reads-only";
import { Sheet } from "@/app/_ui/sheet";
import { useMediaQuery, wideQuery } from "@/app/_ui/use-media-query";

const PreviewSheet = dynamic(() =>
  import("@/app/_ui/preview/preview-sheet").then((part) => part.PreviewSheet),
);

export interface WorkspaceProps {
  sessionId: string | null;
  heading?: string;
  actions?: ReactNode;
  drawer?: ReactNode;
  beside?: ReactNode;
  onCloseBeside?: () => void;
  children: ReactNode;
}

export function Workspace(props: WorkspaceProps) {
  const { sessionId, heading, actions, drawer, beside, onCloseBeside, children } = props;
  const isWide = useMediaQuery(wideQuery);
  const { isOpen } = useDrawer();
  const hasDrawer = useDeferredValue(isWide && isOpen, false);
  const [opened, setOpened] = useState<OpenedCode | null>(null);
  return (
    <OpenPreview value={setOpened}>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <header className="flex h-13 shrink-0 items-center gap-1 border-line border-b px-2.5">
            <SidebarButtons />
            <div className="min-w-0 flex-1 px-1.5">
              {sessionId ? (
                <SessionHeading sessionId={sessionId} placeholder={heading} />
              ) : (
                <h1 className="truncate font-semibold text-sm">{heading}</h1>
              )}
            </div>
            {sessionId !== null && (
              <div className="md:hidden">
                <Writes>
                  <NewChatLink compact />
                </Writes>
              </div>
            )}
            {actions}
            {drawer && <DrawerButtons sessionId={sessionId} />}
          </header>
          <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
            {children}
          </main>
        </div>
        {beside && isWide && <div className="w-1/2 shrink-0 border-line border-l">{beside}</div>}
        {onCloseBeside && !isWide && (
          <Sheet open onClose={onCloseBeside} label="Preview" side="wide">
            {beside}
          </Sheet>
        )}
        {drawer && (
          <aside
            aria-label="Memory, context and tree"
            className="in-data-[drawer=closed]:invisible hidden in-data-[drawer=closed]:w-0 w-(--drawer-width) shrink-0 overflow-hidden border-line border-l in-data-[drawer=closed]:border-l-0 transition-[width,visibility] duration-steady [--drawer-width:24rem] xl:block 2xl:[--drawer-width:26rem]"
          >
            <div className="h-full w-(--drawer-width)">
              {isWide && isOpen && hasDrawer && drawer}
            </div>
          </aside>
        )}
        {drawer && (
          <Sheet
            open={!isWide && isOpen}
            onClose={shellStore.closeDrawer}
            label="Memory, context and tree"
            side="right"
          >
            {drawer}
          </Sheet>
        )}
        {opened && <PreviewSheet opened={opened} onClose={() => setOpened(null)} />}
      </div>
    </OpenPreview>
  );
}

function SidebarButtons() {
  return (
    <>
      <div className="md:hidden">
        <IconButton label="Chats and search" tooltip="none" onClick={shellStore.toggleSidebar}>
          <MenuIcon aria-hidden />
        </IconButton>
      </div>
      <div className="hidden items-center gap-1 md:in-data-[sidebar=closed]:flex">
        <IconButton
          label="Show chat list"
          shortcut={["mod", "B"]}
          onClick={shellStore.toggleSidebar}
        >
          <PanelLeft aria-hidden />
        </IconButton>
        <Writes>
          <NewChatLink compact />
        </Writes>
      </div>
    </>
  );
}

const buttons: readonly { tab: DrawerTab; label: string; icon: typeof Gauge }[] = [
  { tab: "memory", label: "Memory", icon: NotebookPen },
  { tab: "context", label: "Context", icon: Gauge },
  { tab: "tree", label: "Tree", icon: ListTree },
];

function DrawerButtons({ sessionId }: { sessionId: string | null }) {
  const drawer = useDrawer();
  const waiting = useWaitingCount(sessionId);
  const group = useRef<HTMLDivElement>(null);
  useMovedFocus(group, drawer.isOpen);
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
      <div
        ref={group}
        className="hidden items-center gap-0.5 sm:flex in-data-[drawer=open]:xl:hidden"
      >
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

/** The open drawer has the same tabs, so these buttons go while it is beside the page. */
function useMovedFocus(group: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const tab = document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
      const button = group.current?.querySelector<HTMLElement>("button");
      (isOpen ? tab : button)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [group, isOpen]);
}

function useWaitingCount(sessionId: string | null): number {
  const enabled = !useReadsOnly() && sessionId !== null;
  const { data } = useOpenProposals(sessionId, { enabled });
  return enabled ? (data?.length ?? 0) : 0;
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

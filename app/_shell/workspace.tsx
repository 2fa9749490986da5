"use client";

import { Menu as MenuIcon, PanelLeft } from "lucide-react";
import { type ReactNode, useDeferredValue } from "react";
import { NewChatLink } from "@/app/_features/sessions/new-chat-link";
import { SessionHeading } from "@/app/_features/sessions/session-heading";
import { IconButton } from "@/app/_ui/button";
import { Sheet } from "@/app/_ui/dialog";
import { useMediaQuery } from "@/app/_ui/use-media-query";
import { DrawerButtons } from "./drawer-buttons";
import { shellStore, wideQuery } from "./shell-store";
import { useDrawer } from "./use-shell";

export interface WorkspaceProps {
  /** `null` for a page without a session. */
  sessionId: string | null;
  /** Also shown until a session's title is known. */
  heading?: string;
  model?: ReactNode;
  actions?: ReactNode;
  /** Mounted only while open: beside the page from 1280 px, over it below that. */
  drawer?: ReactNode;
  children: ReactNode;
}

export function Workspace({
  sessionId,
  heading,
  model,
  actions,
  drawer,
  children,
}: WorkspaceProps) {
  const isWide = useMediaQuery(wideQuery);
  const { isOpen } = useDrawer();
  // Rendered after the conversation, which opens first.
  const hasDrawer = useDeferredValue(isWide && isOpen, false);
  return (
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
          {model}
          {actions}
          {drawer && <DrawerButtons sessionId={sessionId} />}
        </header>
        <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          {children}
        </main>
      </div>
      {drawer && (
        <aside
          aria-label="Memory, context and tree"
          className="in-data-[drawer=closed]:invisible hidden in-data-[drawer=closed]:w-0 w-(--drawer-width) shrink-0 overflow-hidden border-line border-l in-data-[drawer=closed]:border-l-0 transition-[width,visibility] duration-steady [--drawer-width:24rem] xl:block 2xl:[--drawer-width:26rem]"
        >
          <div className="h-full w-(--drawer-width)">{isWide && isOpen && hasDrawer && drawer}</div>
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
    </div>
  );
}

/** Only while the sidebar is hidden. */
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
        <NewChatLink compact />
      </div>
    </>
  );
}

"use client";

import { Gauge, ListTree, NotebookPen, PanelRight } from "lucide-react";
import { IconButton } from "@/app/_components/ui/icon-button";
import type { DrawerTab } from "./drawer-tab";
import { useDrawer } from "./use-shell";

const buttons: readonly { tab: DrawerTab; label: string; icon: typeof Gauge }[] = [
  { tab: "memory", label: "Memory", icon: NotebookPen },
  { tab: "context", label: "Context", icon: Gauge },
  { tab: "tree", label: "Tree", icon: ListTree },
];

/** Opens the drawer at a tab; the tab that is open closes it. A phone has room for one button. */
export function DrawerButtons() {
  const drawer = useDrawer();
  return (
    <>
      <div className="sm:hidden">
        <IconButton label="Memory, context and tree" tooltip="none" onClick={() => drawer.open()}>
          <PanelRight aria-hidden />
        </IconButton>
      </div>
      <div className="hidden items-center gap-0.5 sm:flex">
        {buttons.map(({ tab, label, icon: Icon }) => {
          const isShown = drawer.isOpen && drawer.tab === tab;
          return (
            <IconButton
              key={tab}
              label={label}
              aria-pressed={isShown}
              onClick={() => (isShown ? drawer.close() : drawer.open(tab))}
              className={isShown ? "bg-hover" : ""}
            >
              <Icon aria-hidden />
            </IconButton>
          );
        })}
      </div>
    </>
  );
}

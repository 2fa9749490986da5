"use client";

import { useStore } from "@/app/_ui/store";
import { useMediaQuery } from "@/app/_ui/use-media-query";
import type { DrawerTab } from "./drawer-tab";
import { type ShellState, shell, shellStore, wideQuery } from "./shell-store";

export function useShell<Part>(select: (state: ShellState) => Part): Part {
  return useStore(shell, select);
}

export interface DrawerControl {
  isOpen: boolean;
  tab: DrawerTab;
  /** Omitted: the last tab used. */
  open: (tab?: DrawerTab) => void;
  close: () => void;
  /** Closes the drawer only where it covers the transcript. */
  closeIfCovering: () => void;
}

export function useDrawer(): DrawerControl {
  const isWide = useMediaQuery(wideQuery);
  const isOpen = useShell((state) => (isWide ? state.drawerOpen : state.drawerSheet));
  const tab = useShell((state) => state.drawerTab);
  return {
    isOpen,
    tab,
    open: shellStore.openDrawer,
    close: shellStore.closeDrawer,
    closeIfCovering: shellStore.closeDrawerSheet,
  };
}

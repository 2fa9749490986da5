"use client";

import { useSyncExternalStore } from "react";
import { useMediaQuery } from "@/app/_ui/use-media-query";
import type { DrawerTab } from "./drawer-tab";
import { type ShellState, shellStore, wideQuery } from "./shell-store";

/** One part of the shell's state. */
export function useShell<Part>(select: (state: ShellState) => Part): Part {
  return useSyncExternalStore(
    shellStore.subscribe,
    () => select(shellStore.read()),
    () => select(shellStore.initial()),
  );
}

export interface DrawerControl {
  isOpen: boolean;
  tab: DrawerTab;
  /** Opens at `tab`, or at the last one used. */
  open: (tab?: DrawerTab) => void;
  close: () => void;
  /** Call after a choice that shows its result in the transcript: closes the drawer only where it covers it. */
  closeIfCovering: () => void;
}

/** The drawer: open or closed, and at which tab. */
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

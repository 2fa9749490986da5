"use client";

import { createStore, useStore } from "@/app/_ui/store";
import { useMediaQuery, wideQuery } from "@/app/_ui/use-media-query";

const drawerTabs = ["memory", "context", "tree"] as const;

export type DrawerTab = (typeof drawerTabs)[number];

/** This device remembers the first three fields. */
interface ShellState {
  sidebarOpen: boolean;
  drawerOpen: boolean;
  drawerTab: DrawerTab;
  sidebarSheet: boolean;
  drawerSheet: boolean;
  overlay: "palette" | "shortcuts" | null;
  paletteQuery: string;
  comparedId: string | null;
  find: string | null;
}

const initial: ShellState = {
  sidebarOpen: true,
  drawerOpen: false,
  drawerTab: "memory",
  sidebarSheet: false,
  drawerSheet: false,
  overlay: null,
  paletteQuery: "",
  comparedId: null,
  find: null,
};

export const newTemporaryChat = createStore(false);

export const newChatTakesMemory = createStore(false);

export function chooseTemporary(isTemporary: boolean): void {
  newTemporaryChat.update(() => isTemporary);
  newChatTakesMemory.update(() => false);
}

const shell = createStore<ShellState>(initial, {
  name: "shell",
  isShared: false,
  parse: (stored) => (isRecord(stored) ? { ...initial, ...remembered(stored) } : null),
  serialize: ({ sidebarOpen, drawerOpen, drawerTab }) => ({ sidebarOpen, drawerOpen, drawerTab }),
});

const isWide = () => matchMedia(wideQuery).matches;

function change(next: Partial<ShellState>): void {
  shell.update((present) => ({ ...present, ...next }));
  const state = shell.read();
  document.documentElement.dataset.sidebar = state.sidebarOpen ? "open" : "closed";
  document.documentElement.dataset.drawer = state.drawerOpen ? "open" : "closed";
}

export const shellStore = {
  toggleSidebar() {
    const { sidebarOpen, sidebarSheet } = shell.read();
    if (!sidebarSheet && matchMedia("(min-width: 48rem)").matches)
      change({ sidebarOpen: !sidebarOpen });
    else change({ sidebarSheet: !sidebarSheet });
  },
  closeSidebarSheet: () => change({ sidebarSheet: false }),
  openDrawer(tab?: DrawerTab) {
    change({
      ...(tab ? { drawerTab: tab } : {}),
      ...(isWide() ? { drawerOpen: true } : { drawerSheet: true }),
    });
  },
  findInSession(words = "") {
    change({
      find: words,
      drawerTab: "tree",
      ...(isWide() ? { drawerOpen: true } : { drawerSheet: true }),
    });
  },
  takeFind(): string | null {
    const { find } = shell.read();
    if (find !== null) change({ find: null });
    return find;
  },
  compareFrom(messageId: string) {
    change({
      comparedId: messageId,
      drawerTab: "tree",
      ...(isWide() ? { drawerOpen: true } : { drawerSheet: true }),
    });
  },
  stopComparing: () => change({ comparedId: null }),
  closeDrawer: () => change({ drawerOpen: false, drawerSheet: false, comparedId: null }),
  closeDrawerSheet: () => change({ drawerSheet: false }),
  openPalette: (query = "") => change({ overlay: "palette", paletteQuery: query }),
  typePalette: (edit: (query: string) => string) =>
    change({ paletteQuery: edit(shell.read().paletteQuery) }),
  openShortcuts: () => change({ overlay: "shortcuts" }),
  closeOverlay: () => change({ overlay: null }),
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function remembered({ sidebarOpen, drawerOpen, drawerTab }: Record<string, unknown>) {
  return {
    sidebarOpen: sidebarOpen !== false,
    drawerOpen: drawerOpen === true,
    ...(isDrawerTab(drawerTab) && { drawerTab }),
  };
}

function isDrawerTab(value: unknown): value is DrawerTab {
  return drawerTabs.some((tab) => tab === value);
}

export function useShell<Part>(select: (state: ShellState) => Part): Part {
  return useStore(shell, select);
}

export interface DrawerControl {
  isOpen: boolean;
  tab: DrawerTab;
  open: (tab?: DrawerTab) => void;
  close: () => void;
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

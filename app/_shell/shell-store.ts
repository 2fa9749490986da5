import { type DrawerTab, isDrawerTab } from "./drawer-tab";

/** Open parts of the shell. The first three are remembered on this device. */
export interface ShellState {
  sidebarOpen: boolean;
  drawerOpen: boolean;
  drawerTab: DrawerTab;
  /** Sidebar and drawer as sheets, on narrow screens. */
  sidebarSheet: boolean;
  drawerSheet: boolean;
  overlay: "palette" | "shortcuts" | null;
  paletteQuery: string;
  /** The message selected for comparison, until a second one is chosen in the tree. */
  comparedId: string | null;
  /** Words to find in the open session until its tree takes them; empty only focuses the field. */
  find: string | null;
}

/** Storage key of {@link ShellState}; the boot script reads it before the first paint. */
export const shellStorageKey = "grove.shell";

const initialState: ShellState = {
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

/** Wide enough for a drawer beside the conversation. */
export const wideQuery = "(min-width: 80rem)";

function createShellStore() {
  let state: ShellState | null = null;
  const listeners = new Set<() => void>();

  const read = (): ShellState => {
    state ??= remembered();
    return state;
  };

  const change = (next: Partial<ShellState>) => {
    state = { ...read(), ...next };
    remember(state);
    for (const listener of listeners) listener();
  };

  const isWide = () => matchMedia(wideQuery).matches;

  return {
    read,
    initial: () => initialState,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    toggleSidebar() {
      if (matchMedia("(min-width: 48rem)").matches) change({ sidebarOpen: !read().sidebarOpen });
      else change({ sidebarSheet: !read().sidebarSheet });
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
    /** Returns the words to find and clears them. */
    takeFind(): string | null {
      const { find } = read();
      if (find !== null) change({ find: null });
      return find;
    },
    /** Opens the tree to choose the second message of a comparison. */
    compareFrom(messageId: string) {
      change({
        comparedId: messageId,
        drawerTab: "tree",
        ...(isWide() ? { drawerOpen: true } : { drawerSheet: true }),
      });
    },
    stopComparing: () => change({ comparedId: null }),
    closeDrawer: () => change({ drawerOpen: false, drawerSheet: false, comparedId: null }),
    /** Closes the drawer only where it covers the conversation. */
    closeDrawerSheet: () => change({ drawerSheet: false }),
    openPalette: (query = "") => change({ overlay: "palette", paletteQuery: query }),
    /** Edits the palette's query, even while its code is loading. */
    typePalette: (edit: (query: string) => string) =>
      change({ paletteQuery: edit(read().paletteQuery) }),
    openShortcuts: () => change({ overlay: "shortcuts" }),
    closeOverlay: () => change({ overlay: null }),
  };
}

export const shellStore = createShellStore();

function remembered(): ShellState {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(shellStorageKey) ?? "{}");
    if (typeof stored !== "object" || stored === null) return initialState;
    return {
      ...initialState,
      ...("sidebarOpen" in stored ? { sidebarOpen: stored.sidebarOpen !== false } : {}),
      ...("drawerOpen" in stored ? { drawerOpen: stored.drawerOpen === true } : {}),
      ...("drawerTab" in stored && isDrawerTab(stored.drawerTab)
        ? { drawerTab: stored.drawerTab }
        : {}),
    };
  } catch {
    return initialState;
  }
}

function remember({ sidebarOpen, drawerOpen, drawerTab }: ShellState): void {
  // Attributes rather than classes of one component: the boot script sets them before React is there.
  document.documentElement.dataset.sidebar = sidebarOpen ? "open" : "closed";
  document.documentElement.dataset.drawer = drawerOpen ? "open" : "closed";
  try {
    localStorage.setItem(shellStorageKey, JSON.stringify({ sidebarOpen, drawerOpen, drawerTab }));
  } catch {
    // Storage may be full or forbidden; the shell is then forgotten on reload.
  }
}

import type { DrawerTab } from "@/app/_components/shell/drawer-tab";

/** What the palette can do besides opening what it finds. */
export type PaletteActionId =
  | "new-chat"
  | "settings"
  | "usage"
  | "find"
  | "shortcuts"
  | "sidebar"
  | `drawer-${DrawerTab}`
  | `theme-${"light" | "dark" | "system"}`;

export interface PaletteAction {
  id: PaletteActionId;
  label: string;
  /** Other words people look for it with. */
  words: string;
  keys?: readonly string[];
  /** Needs an open session. */
  inSession?: boolean;
  /** Left out until something is typed, so that the list opens short. */
  onlyWhenAsked?: boolean;
}

const actions: readonly PaletteAction[] = [
  {
    id: "new-chat",
    label: "New chat",
    words: "start session conversation",
    keys: ["mod", "shift", "O"],
  },
  {
    id: "find",
    label: "Find in this session",
    words: "search messages branches",
    keys: ["mod", "F"],
    inSession: true,
  },
  { id: "drawer-memory", label: "Open memory", words: "blocks knowledge skills", inSession: true },
  {
    id: "drawer-context",
    label: "Open context",
    words: "tokens prompt gauge cost",
    inSession: true,
  },
  { id: "drawer-tree", label: "Open tree", words: "branches messages", inSession: true },
  { id: "settings", label: "Settings", words: "preferences models keys appearance data" },
  { id: "usage", label: "Usage", words: "tokens cost spent price money", onlyWhenAsked: true },
  {
    id: "theme-light",
    label: "Light theme",
    words: "appearance colour bright",
    onlyWhenAsked: true,
  },
  { id: "theme-dark", label: "Dark theme", words: "appearance colour night", onlyWhenAsked: true },
  {
    id: "theme-system",
    label: "Theme of this device",
    words: "appearance colour system auto",
    onlyWhenAsked: true,
  },
  {
    id: "sidebar",
    label: "Show or hide the sessions",
    words: "sidebar",
    keys: ["mod", "B"],
    onlyWhenAsked: true,
  },
  { id: "shortcuts", label: "Keyboard shortcuts", words: "help keys", keys: ["?"] },
];

/** The actions that fit what was typed: every word must start a word of the action. */
export function matchingActions(
  query: string,
  { hasSession }: { hasSession: boolean },
): readonly PaletteAction[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  return actions.filter((action) => {
    if (action.inSession && !hasSession) return false;
    if (wanted.length === 0) return !action.onlyWhenAsked;
    const words = `${action.label} ${action.words}`.toLowerCase().split(/\s+/);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
}

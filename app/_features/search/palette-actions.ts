import type { PageCommandId } from "@/app/_data/page/page-commands";
import type { DrawerTab } from "@/app/_data/page/shell-store";

export type ShellActionId =
  | "new-chat"
  | "temporary-chat"
  | "settings"
  | "usage"
  | "deleted"
  | "find"
  | "shortcuts"
  | "sidebar"
  | `drawer-${DrawerTab}`
  | `theme-${"light" | "dark" | "system"}`;

export type PaletteActionId = ShellActionId | PageCommandId;

interface ActionWords {
  label: string;
  words: string;
  keys?: readonly string[];
  onlyWhenAsked?: boolean;
}

export type PaletteAction = ActionWords &
  (
    | { id: PageCommandId; needs: "offer" }
    | { id: ShellActionId; needs?: "session" | "keyboard" | "own-space" }
  );

/** Actions are in the order of use, within each group. */
const actions: readonly PaletteAction[] = [
  {
    id: "new-chat",
    label: "New chat",
    words: "start session conversation",
    keys: ["mod", "shift", "O"],
  },
  {
    id: "temporary-chat",
    label: "New temporary chat",
    words: "start private incognito unsaved session",
    needs: "own-space",
  },
  {
    id: "settings",
    label: "Settings",
    words: "preferences models keys appearance connections personalization data",
  },
  {
    id: "shortcuts",
    label: "Keyboard shortcuts",
    words: "help keys",
    keys: ["?"],
    needs: "keyboard",
  },
  {
    id: "deleted",
    label: "Recently deleted",
    words: "restore undo undelete trash bin recover",
    onlyWhenAsked: true,
  },
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
    label: "System theme",
    words: "appearance colour system auto",
    onlyWhenAsked: true,
  },
  {
    id: "sidebar",
    label: "Toggle chat list",
    words: "sidebar",
    keys: ["mod", "B"],
    onlyWhenAsked: true,
  },
  {
    id: "find",
    label: "Find in this chat",
    words: "search messages branches",
    keys: ["mod", "F"],
    needs: "session",
  },
  { id: "rename", label: "Rename", words: "title name chat session", needs: "offer" },
  { id: "pin", label: "Pin", words: "keep top chat session", needs: "offer" },
  { id: "unpin", label: "Unpin", words: "pinned chat session", needs: "offer" },
  { id: "tags", label: "Tags…", words: "label tag chat session", needs: "offer" },
  { id: "archive", label: "Archive", words: "put away session", needs: "offer" },
  { id: "unarchive", label: "Unarchive", words: "unarchive restore session", needs: "offer" },
  { id: "move", label: "Move to…", words: "project chat session", needs: "offer" },
  { id: "share", label: "Share…", words: "link publish send chat session", needs: "offer" },
  { id: "delete", label: "Delete this chat", words: "remove", needs: "offer" },
  { id: "compact", label: "Summarize…", words: "compact shorten context window", needs: "offer" },
  { id: "fork", label: "Branch in new chat…", words: "fork copy continue", needs: "offer" },
  {
    id: "compare",
    label: "Compare with another branch…",
    words: "versions side by side difference tree",
    needs: "offer",
  },
  {
    id: "bring-along",
    label: "Carry context over…",
    words: "note summary branch left bring along",
    needs: "offer",
  },
  { id: "drawer-memory", label: "Open memory", words: "blocks knowledge skills", needs: "session" },
  {
    id: "drawer-context",
    label: "Open context",
    words: "tokens prompt gauge cost",
    needs: "session",
  },
  { id: "drawer-tree", label: "Open tree", words: "branches messages", needs: "session" },
  {
    id: "print",
    label: "Print or save as PDF",
    words: "paper export download chat session",
    keys: ["mod", "P"],
    needs: "offer",
  },
  {
    id: "save-page",
    label: "Save as web page",
    words: "html export download file chat session",
    needs: "offer",
  },
  {
    id: "copy-markdown",
    label: "Copy as Markdown",
    words: "clipboard whole chat session text",
    needs: "offer",
  },
  {
    id: "export-markdown",
    label: "Export as Markdown",
    words: "download save chat session text",
    needs: "offer",
  },
  {
    id: "export-json",
    label: "Export as JSON",
    words: "download save chat session",
    needs: "offer",
  },
];

export interface PalettePlace {
  hasSession: boolean;
  hasKeyboard: boolean;
  isProject?: boolean;
  offered: ReadonlySet<PageCommandId>;
}

export function matchingActions(query: string, place: PalettePlace): readonly PaletteAction[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  return actions.filter((action) => {
    if (!applies(action, place)) return false;
    if (wanted.length === 0) return !action.onlyWhenAsked;
    const words = `${action.label} ${action.words}`.toLowerCase().split(/\s+/);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
}

function applies(action: PaletteAction, place: PalettePlace): boolean {
  if (action.needs === "offer") return place.offered.has(action.id);
  if (action.needs === "session") return place.hasSession;
  if (action.needs === "own-space") return !place.isProject;
  return action.needs !== "keyboard" || place.hasKeyboard;
}

export function isOfSession({ needs }: PaletteAction): boolean {
  return needs === "offer" || needs === "session";
}

/** A longer line, quotes or filters are a full-text search, whose best hit Enter should open. */
export function titlesFirst(query: string, titles: readonly string[]): boolean {
  const asked = query.trim().toLowerCase();
  if (asked === "" || /["“”„:]|(^|\s)-\S/.test(asked)) return false;
  if (asked.split(/\s+/).length > 3) return false;
  return titles.some((title) => title.toLowerCase().startsWith(asked));
}

import { focusComposer } from "@/app/_shell/focus-composer";
import { pageCommands } from "@/app/_shell/page-commands";
import { shellStore } from "@/app/_shell/shell-store";
import { setTheme } from "@/app/_shell/theme";
import type { PaletteAction, ShellActionId } from "./palette-actions";

type Go = (path: string) => void;

const effects: Record<ShellActionId, (go: Go) => void> = {
  "new-chat": (go) => {
    go("/");
    requestAnimationFrame(focusComposer);
  },
  settings: (go) => go("/settings"),
  usage: (go) => go("/usage"),
  find: () => shellStore.findInSession(),
  shortcuts: shellStore.openShortcuts,
  sidebar: shellStore.toggleSidebar,
  "drawer-memory": () => shellStore.openDrawer("memory"),
  "drawer-context": () => shellStore.openDrawer("context"),
  "drawer-tree": () => shellStore.openDrawer("tree"),
  "theme-light": () => setTheme("light"),
  "theme-dark": () => setTheme("dark"),
  "theme-system": () => setTheme("system"),
};

/** Runs the chosen action, or nothing when the page no longer offers it. */
export function runPaletteAction(action: PaletteAction, go: Go): void {
  if (action.needs === "offer") pageCommands.read().get(action.id)?.();
  else effects[action.id](go);
}

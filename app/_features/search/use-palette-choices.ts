"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { focusComposer } from "@/app/_data/page/focus-composer";
import { pageCommands } from "@/app/_data/page/page-commands";
import { setTheme } from "@/app/_data/page/preferences";
import { chooseTemporary, shellStore } from "@/app/_data/page/shell-store";
import { documentAddress, hitAddress, sessionAddress } from "@/app/_data/search/search-addresses";
import { searchCursor, startCursor } from "@/app/_data/search/search-cursor";
import { useOpenSessionId } from "@/app/_data/sessions/use-sessions";
import { openedFile } from "@/app/_message/files/file-viewer-dialog";
import { inSpace } from "@/app/_ui/page-space";
import { useReturnFocus } from "@/app/_ui/use-return-focus";
import { openAddress } from "@/app/_ui/use-space";
import type { FileHitWire, SearchHitWire, SearchWire } from "@/lib/chat/wire/search";
import type { PaletteAction, ShellActionId } from "./palette-actions";

/** Focus only returns when the palette is dismissed. */
export function usePaletteChoices(hits: readonly SearchHitWire[]) {
  const router = useRouter();
  const openId = useOpenSessionId();
  const returnFocus = useReturnFocus();
  const chosen = useRef<(() => void) | null>(null);

  function leave(then = () => {}) {
    chosen.current = then;
    shellStore.closeOverlay();
  }

  function go(path: string) {
    leave();
    searchCursor.update(() => null);
    openAddress(path, router);
  }

  return {
    go,
    onOpen: returnFocus.onOpenAutoFocus,
    onClose(event: Event) {
      if (!chosen.current) return returnFocus.onCloseAutoFocus(event);
      event.preventDefault();
      chosen.current();
    },
    /** The closing palette would take the focus back. */
    run: (action: PaletteAction) => leave(() => runPaletteAction(action, go)),
    openHit(hit: SearchHitWire) {
      const walked = hitsBySession(hits).flatMap((group) => group.hits);
      const from = location.pathname + location.search;
      startCursor({ hits: walked, at: Math.max(0, walked.indexOf(hit)), from });
      leave();
      router.push(hitAddress(hit));
    },
    openFile({ messageId, sessionId, page, ...file }: FileHitWire) {
      go(hitAddress({ id: messageId, sessionId, place: "active" }));
      openedFile.update(() => ({ file, page }));
    },
    openDocument({ label, sessionId }: SearchWire["documents"][number]) {
      if (sessionId === null && !openId) return go(documentAddress(label));
      leave();
      if (sessionId !== null && sessionId !== openId) router.push(sessionAddress(sessionId));
      shellStore.openDrawer("memory");
    },
  };
}

type Go = (path: string) => void;

const effects: Record<ShellActionId, (go: Go) => void> = {
  "new-chat": (go) => {
    go(inSpace("/"));
    requestAnimationFrame(focusComposer);
  },
  "temporary-chat": (go) => {
    chooseTemporary(true);
    go(inSpace("/"));
    requestAnimationFrame(focusComposer);
  },
  settings: (go) => go(inSpace("/settings")),
  deleted: (go) => go(inSpace("/settings?section=deleted")),
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

function runPaletteAction(action: PaletteAction, go: Go): void {
  if (action.needs === "offer") pageCommands.read().get(action.id)?.();
  else effects[action.id](go);
}

interface SessionHits {
  sessionId: string;
  sessionTitle: string;
  hits: SearchHitWire[];
}

/** Sessions keep the order of their best hit. */
export function hitsBySession(hits: readonly SearchHitWire[]): SessionHits[] {
  return [...Map.groupBy(hits, ({ sessionId }) => sessionId)].map(([sessionId, members]) => ({
    sessionId,
    sessionTitle: members[0]?.sessionTitle ?? "",
    hits: members,
  }));
}

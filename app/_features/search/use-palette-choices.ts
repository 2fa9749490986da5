"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { useOpenSessionId } from "@/app/_features/sessions/use-open-session-id";
import { shellStore } from "@/app/_shell/shell-store";
import { useReturnFocus } from "@/app/_ui/use-return-focus";
import type { SearchHitWire, SearchWire } from "@/lib/chat/wire/search";
import { hitsBySession } from "./hits-by-session";
import type { PaletteAction } from "./palette-actions";
import { runPaletteAction } from "./run-palette-action";
import { documentAddress, hitAddress, sessionAddress } from "./search-addresses";
import { searchCursor, startCursor } from "./search-cursor";

/**
 * Opens choices of the palette. Focus moves to the opened page and only returns when the palette is dismissed.
 */
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
    router.push(path);
  }

  return {
    go,
    onOpen: returnFocus.onOpenAutoFocus,
    onClose(event: Event) {
      if (!chosen.current) return returnFocus.onCloseAutoFocus(event);
      event.preventDefault();
      chosen.current();
    },
    /** Runs after the palette has closed, which would otherwise take back the focus. */
    run: (action: PaletteAction) => leave(() => runPaletteAction(action, go)),
    openHit(hit: SearchHitWire) {
      const walked = hitsBySession(hits).flatMap((group) => group.hits);
      const from = location.pathname + location.search;
      startCursor({ hits: walked, at: Math.max(0, walked.indexOf(hit)), from });
      leave();
      router.push(hitAddress(hit));
    },
    openDocument({ label, sessionId }: SearchWire["documents"][number]) {
      if (sessionId === null && !openId) return go(documentAddress(label));
      leave();
      if (sessionId !== null && sessionId !== openId) router.push(sessionAddress(sessionId));
      shellStore.openDrawer("memory");
    },
  };
}

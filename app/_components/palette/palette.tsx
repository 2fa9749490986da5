"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { shellStore } from "@/app/_components/shell/shell-store";
import { TypeAhead } from "@/app/_components/shell/type-ahead";
import { useOpenSessionId } from "@/app/_components/shell/use-open-session-id";
import { useShell } from "@/app/_components/shell/use-shell";
import { useReturnFocus } from "@/app/_components/ui/use-return-focus";
import { useDebounced } from "@/app/_hooks/api/use-debounced";
import { useSearch } from "@/app/_hooks/api/use-search";
import type { SearchHitWire } from "@/lib/chat/wire/search";
import { hitWalkStore } from "./hit-walk";
import { hitsBySession } from "./hits-by-session";
import type { PaletteActionId } from "./palette-actions";
import { matchingActions } from "./palette-actions";
import { PaletteFooter } from "./palette-footer";
import { ActionGroup, DocumentGroup, HitGroups, RecentGroup, SessionGroup } from "./palette-groups";
import { PaletteInput } from "./palette-input";
import { PaletteStatus } from "./palette-status";
import { runPaletteAction } from "./run-palette-action";
import { documentAddress, hitAddress } from "./search-addresses";
import { titlesFirst } from "./titles-first";

// Long enough to skip the middle of a word, short enough to feel immediate.
const settleMs = 120;

/** Commands and search over everything: sessions, messages on every branch, summaries, memory. */
export function Palette() {
  const router = useRouter();
  const openId = useOpenSessionId();
  const query = useShell((state) => state.paletteQuery);
  const setQuery = (text: string) => shellStore.typePalette(() => text);
  const [hasFocus, setHasFocus] = useState(false);
  const asked = useDebounced(query, settleMs);
  const search = useSearch(asked);
  const returnFocus = useReturnFocus();

  const isAsking = query.trim() !== "";
  const found = isAsking ? search.data : undefined;
  const actions = matchingActions(query, { hasSession: openId !== null });

  // Focus stays with what a choice leads to; only leaving the palette gives it back.
  const [hasChosen, setHasChosen] = useState(false);
  const leave = () => {
    setHasChosen(true);
    shellStore.closeOverlay();
  };
  const go = (path: string) => {
    leave();
    hitWalkStore.end();
    router.push(path);
  };
  const openHit = (hit: SearchHitWire) => {
    const hits = hitsBySession(found?.hits ?? []).flatMap((group) => group.hits);
    const from = location.pathname + location.search;
    hitWalkStore.begin({ hits, at: Math.max(0, hits.indexOf(hit)), from });
    leave();
    router.push(hitAddress(hit));
  };
  const sessionsLead = found
    ? titlesFirst(
        query,
        found.sessions.map(({ title }) => title),
      )
    : false;
  const sessions = found && <SessionGroup sessions={found.sessions} onOpen={go} />;
  const run = (id: PaletteActionId) => {
    leave();
    runPaletteAction(id, go);
  };
  const openDocument = (label: string) => {
    if (!openId) return go(documentAddress(label));
    leave();
    shellStore.openDrawer("memory");
  };

  return (
    <Dialog.Root open onOpenChange={shellStore.closeOverlay}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            returnFocus.onOpenAutoFocus();
            event.preventDefault();
            focusAtEnd(event.currentTarget);
            setHasFocus(true);
          }}
          onCloseAutoFocus={(event) =>
            hasChosen ? event.preventDefault() : returnFocus.onCloseAutoFocus(event)
          }
          className="fixed inset-0 z-40 flex animate-pop flex-col overflow-hidden bg-raised outline-none sm:inset-x-0 sm:top-[min(12vh,7rem)] sm:bottom-auto sm:mx-auto sm:max-h-[min(38rem,76vh)] sm:w-[min(44rem,calc(100vw-3rem))] sm:rounded-xl sm:border sm:border-line sm:shadow-dialog"
        >
          {!hasFocus && <TypeAhead />}
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Command
            shouldFilter={false}
            loop
            label="Search and commands"
            className="flex min-h-0 flex-1 flex-col"
          >
            <PaletteInput
              query={query}
              onChange={setQuery}
              isSearching={isAsking && (search.isFetching || asked !== query)}
            />
            <PaletteStatus
              query={query}
              onQuery={setQuery}
              search={search}
              isSettled={isAsking && asked === query && !search.isFetching}
              hasActions={actions.length > 0}
            />
            <Command.List className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain px-2 pb-2">
              {!isAsking && <RecentGroup openId={openId} onOpen={go} />}
              {sessionsLead && sessions}
              <ActionGroup actions={actions} onRun={run} />
              {found && <HitGroups hits={found.hits} onOpen={openHit} />}
              {!sessionsLead && sessions}
              {found && <DocumentGroup documents={found.documents} onOpen={openDocument} />}
            </Command.List>
            <PaletteFooter />
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What was typed ahead of the palette is gone on with, not typed over. */
function focusAtEnd(palette: EventTarget | null): void {
  const input = palette instanceof Element ? palette.querySelector("input") : null;
  input?.focus();
  input?.setSelectionRange(input.value.length, input.value.length);
}

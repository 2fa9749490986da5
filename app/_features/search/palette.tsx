"use client";

import { Command } from "cmdk";
import { CircleQuestionMark, Search, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { pageCommands } from "@/app/_data/page/page-commands";
import { shellStore, useShell } from "@/app/_data/page/shell-store";
import { firstHits, mostHits, useSearch, useSearchElsewhere } from "@/app/_data/search/use-search";
import { useOpenSessionId } from "@/app/_data/sessions/use-sessions";
import { IconButton } from "@/app/_ui/button";
import { Kbd } from "@/app/_ui/kbd";
import { Spinner } from "@/app/_ui/loading";
import { pageSpace } from "@/app/_ui/page-space";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { useStore } from "@/app/_ui/store";
import { useBackCloses } from "@/app/_ui/use-back-closes";
import { useDebounced } from "@/app/_ui/use-debounced";
import { touchQuery, useMediaQuery, wideQuery } from "@/app/_ui/use-media-query";
import { usePasteLimit } from "@/app/_ui/use-paste-limit";
import type { PlaceFoundWire, SearchWire } from "@/lib/chat/wire/search";
import { isOfSession, matchingActions, type PaletteAction, titlesFirst } from "./palette-actions";
import { Elsewhere } from "./palette-elsewhere";
import {
  ActionGroup,
  type ActionGroupProps,
  DocumentGroup,
  FileGroup,
  FoundSessions,
  HitGroups,
  MoreItem,
  ProjectGroup,
  RecentGroup,
} from "./palette-groups";
import { PaletteStatus } from "./palette-status";
import { TypeAhead } from "./type-ahead";
import { usePaletteChoices } from "./use-palette-choices";

// Long enough to skip the middle of a word.
const settleMs = 120;

export function Palette() {
  const openId = useOpenSessionId();
  const query = useShell((state) => state.paletteQuery);
  const [hasFocus, setHasFocus] = useState(false);
  const words = query.replace(helpMark, "");
  const asksHelp = words !== query;
  const searching = usePaletteSearch(words);
  const content = useRef<HTMLDivElement>(null);
  useBackCloses(!useMediaQuery(wideQuery), shellStore.closeOverlay);
  const actions = usePaletteActions(words, { hasSession: openId !== null });
  const choices = usePaletteChoices(searching.found?.hits ?? []);
  const write = (text: string) => {
    flushSync(() => setQuery(text));
    focusField(content.current);
  };

  return (
    <Dialog.Root open onOpenChange={shellStore.closeOverlay}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            choices.onOpen();
            event.preventDefault();
            focusField(content.current);
            setHasFocus(true);
          }}
          onCloseAutoFocus={choices.onClose}
          ref={content}
          className="fixed inset-0 z-40 flex animate-pop flex-col overflow-hidden bg-raised outline-none sm:inset-x-0 sm:top-[min(12vh,7rem)] sm:bottom-auto sm:mx-auto sm:h-[min(38rem,76vh)] sm:w-[min(44rem,calc(100vw-3rem))] sm:rounded-xl sm:border sm:border-line sm:shadow-dialog"
        >
          {!hasFocus && <TypeAhead />}
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <PaletteCommand
            query={query}
            words={words}
            onHelp={() => write(asksHelp ? words : wordBefore(words, "?"))}
            openId={openId}
            searching={searching}
            actions={actions}
            choices={choices}
          />
          {asksHelp && (
            <PaletteOperators onChoose={(operator) => write(wordBefore(words, operator))} />
          )}
          <PaletteFooter />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const helpMark = /(?:^|\s)\?$/;

function wordBefore(words: string, next: string): string {
  return words.trim() === "" ? next : `${words.trimEnd()} ${next}`;
}

function setQuery(text: string): void {
  shellStore.typePalette(() => text);
}

function usePaletteSearch(query: string) {
  const asked = useDebounced(query, settleMs);
  const [widenedQuery, setWidenedQuery] = useState<string | null>(null);
  const limit = widenedQuery === asked ? mostHits : firstHits;
  const search = useSearch(asked, { limit });
  const elsewhere = useSearchElsewhere(asked);
  const isAsking = query.trim() !== "";
  const found = isAsking && search.isEnabled ? search.data : undefined;
  const isFetching = search.isFetching || elsewhere.isFetching;
  return {
    search,
    limit,
    found,
    elsewhere,
    isAsking,
    isSearching: isAsking && (isFetching || asked !== query),
    isSettled: isAsking && asked === query && !isFetching,
    onMore: limit < mostHits && found?.hits.length === limit ? () => setWidenedQuery(asked) : null,
  };
}

function usePaletteActions(query: string, { hasSession }: { hasSession: boolean }) {
  const offers = useStore(pageCommands);
  const readsOnly = useReadsOnly();
  const actions = matchingActions(query, {
    hasSession,
    hasKeyboard: !useMediaQuery(touchQuery),
    isProject: pageSpace !== null,
    offered: new Set(offers.keys()),
  });
  return readsOnly ? actions.filter(({ id }) => id !== "new-chat" && id !== "deleted") : actions;
}

interface PaletteCommandProps {
  query: string;
  words: string;
  onHelp: () => void;
  openId: string | null;
  searching: ReturnType<typeof usePaletteSearch>;
  actions: readonly PaletteAction[];
  choices: ReturnType<typeof usePaletteChoices>;
}

function PaletteCommand(props: PaletteCommandProps) {
  const { query, words, onHelp, openId, searching, actions, choices } = props;
  const { search, limit, found, elsewhere, isAsking, isSearching, isSettled, onMore } = searching;
  const list = useRef<HTMLDivElement>(null);
  const selection = useSelection(list);
  return (
    <Command
      {...selection}
      shouldFilter={false}
      loop
      label="Search and commands"
      className="flex min-h-0 flex-1 flex-col"
    >
      <PaletteInput
        query={query}
        asksHelp={words !== query}
        onHelp={onHelp}
        isSearching={isSearching}
      />
      <PaletteStatus
        query={words}
        onQuery={setQuery}
        search={search}
        elsewhere={elsewhere}
        limit={limit}
        isSettled={isSettled}
        hasActions={actions.length > 0}
      />
      <Command.List
        ref={list}
        className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain px-2 pb-2"
      >
        {isAsking ? (
          <Results
            query={words}
            found={found}
            places={elsewhere.data?.places ?? []}
            actions={actions}
            choices={choices}
            onMore={onMore}
          />
        ) : (
          <>
            <GeneralActions actions={actions} onRun={choices.run} />
            <RecentGroup openId={openId} onOpen={choices.go} />
            <ChatActions actions={actions} onRun={choices.run} />
          </>
        )}
      </Command.List>
    </Command>
  );
}

/** When all items go at once, cmdk keeps the value of the selected one, and selects none of the new ones. */
function useSelection(list: RefObject<HTMLElement | null>) {
  const [value, onValueChange] = useState("");
  useEffect(() => {
    if (list.current?.querySelector("[role=option][aria-selected=true]")) return;
    const first = list.current?.querySelector("[role=option]");
    if (first) onValueChange(first.getAttribute("data-value") ?? "");
  });
  return { value, onValueChange };
}

interface ResultsProps {
  query: string;
  found: SearchWire | undefined;
  places: readonly PlaceFoundWire[];
  actions: readonly PaletteAction[];
  choices: ReturnType<typeof usePaletteChoices>;
  onMore: (() => void) | null;
}

function Results({ query, found, places, actions, choices, onMore }: ResultsProps) {
  const titles = found?.sessions.map(({ title }) => title) ?? [];
  const sessionsLead = found !== undefined && titlesFirst(query, titles);
  const sessions = found && (
    <FoundSessions key={query.trim()} sessions={found.sessions} onOpen={choices.go} />
  );
  return (
    <>
      {sessionsLead && sessions}
      <ProjectGroup query={query} onOpen={choices.go} />
      <ChatActions actions={actions} onRun={choices.run} />
      <GeneralActions actions={actions} onRun={choices.run} />
      {found && <HitGroups hits={found.hits} onOpen={choices.openHit} />}
      {onMore && <MoreItem id="more messages" label="Show more messages" onSelect={onMore} />}
      {found && <FileGroup files={found.files} onOpen={choices.openFile} />}
      {!sessionsLead && sessions}
      {found && <DocumentGroup documents={found.documents} onOpen={choices.openDocument} />}
      <Elsewhere query={query} places={places} onOpen={choices.go} onQuery={setQuery} />
    </>
  );
}

type ActionsProps = Omit<ActionGroupProps, "heading">;

function ChatActions({ actions, onRun }: ActionsProps) {
  return <ActionGroup heading="This chat" actions={actions.filter(isOfSession)} onRun={onRun} />;
}

function GeneralActions({ actions, onRun }: ActionsProps) {
  const general = actions.filter((action) => !isOfSession(action));
  return <ActionGroup heading="Commands" actions={general} onRun={onRun} />;
}

function focusField(palette: HTMLElement | null): void {
  const input = palette?.querySelector("input");
  if (!input) return;
  const end = input.value.length - (input.value.endsWith('""') ? 1 : 0);
  input.focus();
  input.setSelectionRange(end, end);
}

function PaletteFooter() {
  return (
    <div className="hidden pointer-coarse:hidden h-10 shrink-0 items-center gap-4 border-line border-t bg-paper px-4.5 text-faint text-xs sm:flex">
      <span className="flex items-center gap-1.5">
        <Kbd keys={["↑"]} />
        <Kbd keys={["↓"]} /> move
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd keys={["enter"]} /> open
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd keys={["Esc"]} /> back
      </span>
    </div>
  );
}

const operators = [
  { shown: "“exact words”", written: '""' },
  { shown: "-without", written: "-" },
  { shown: "role:user", written: "role:user " },
  { shown: "tag:name", written: "tag:" },
  { shown: "program:name", written: "program:" },
  { shown: "project:name", written: "project:" },
  { shown: "in:title", written: "in:" },
  { shown: "before:2026-01", written: "before:" },
  { shown: "after:2026-01", written: "after:" },
] as const;

function PaletteOperators({ onChoose }: { onChoose: (text: string) => void }) {
  return (
    <fieldset className="flex shrink-0 flex-wrap gap-1.5 border-line border-t px-4.5 py-2.5">
      <legend className="sr-only">Search filters</legend>
      {operators.map(({ shown, written }) => (
        <button
          key={shown}
          type="button"
          onClick={() => onChoose(written)}
          className="h-6 pointer-coarse:h-9 rounded-full border border-line pointer-coarse:px-3.5 px-2.5 text-muted text-xs transition-colors hover:bg-hover hover:text-ink"
        >
          {shown}
        </button>
      ))}
    </fieldset>
  );
}

const maxLength = 500;

interface PaletteInputProps {
  query: string;
  asksHelp: boolean;
  onHelp: () => void;
  isSearching: boolean;
}

function PaletteInput({ query, asksHelp, onHelp, isSearching }: PaletteInputProps) {
  const { note, noteId, onPaste, onInput } = usePasteLimit(maxLength);
  return (
    <>
      <div className="flex h-14 shrink-0 items-center gap-3 border-line border-b pr-2 pl-4.5">
        <span className="flex size-4.5 items-center justify-center text-faint">
          {isSearching ? <Spinner /> : <Search aria-hidden className="size-4.5" />}
        </span>
        <Command.Input
          value={query}
          onValueChange={setQuery}
          maxLength={maxLength}
          onPaste={onPaste}
          onInput={onInput}
          {...(noteId && { "aria-describedby": noteId })}
          placeholder="Search messages, memory and commands"
          className="h-full min-w-0 flex-1 bg-transparent text-base outline-none"
        />
        <IconButton
          label="Search filters"
          shortcut={["?"]}
          aria-expanded={asksHelp}
          onClick={onHelp}
        >
          <CircleQuestionMark aria-hidden />
        </IconButton>
        <IconButton
          label="Close"
          tooltip="none"
          onClick={shellStore.closeOverlay}
          className="sm:hidden"
        >
          <X aria-hidden />
        </IconButton>
      </div>
      {note && <div className="px-4.5 pt-1">{note}</div>}
    </>
  );
}

"use client";

import { ChevronLeft, PanelLeft, Search, X } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import type { SessionListFilter } from "@/app/_api/query-keys";
import { shellStore } from "@/app/_data/page/shell-store";
import { useKnownTags } from "@/app/_data/sessions/use-sessions";
import { ProjectList } from "@/app/_features/projects/project-list";
import { NewChatLink } from "@/app/_features/sessions/new-chat-link";
import { ProgramsGroup } from "@/app/_features/sessions/programs-group";
import { SessionFilterMenu } from "@/app/_features/sessions/session-filter-menu";
import { SessionList } from "@/app/_features/sessions/session-list";
import { IconButton } from "@/app/_ui/button";
import { Kbd } from "@/app/_ui/kbd";
import { Logo } from "@/app/_ui/logo";
import { inSpace } from "@/app/_ui/page-space";
import { usePrefetchOnApproach } from "@/app/_ui/prefetch-on-approach";
import { Writes } from "@/app/_ui/reads-only";
import { useSpace } from "@/app/_ui/use-space";
import { PersonMenu } from "./person-menu";

const everything: SessionListFilter = { archived: false, tag: null };

export function Sidebar({ personName }: { personName: string | null }) {
  const [filter, setFilter] = useState(everything);
  const knownTags = useKnownTags();
  return (
    <div className="flex h-full flex-col bg-sunken">
      <SidebarHeader />
      <div className="flex flex-col gap-0.5 px-2">
        <Writes>
          <NewChatLink />
        </Writes>
        <button
          type="button"
          onClick={() => {
            shellStore.closeSidebarSheet();
            shellStore.openPalette();
          }}
          className="flex h-9 pointer-coarse:h-11 items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors hover:bg-hover"
        >
          <Search aria-hidden className="size-4 text-muted" />
          <span className="flex-1 text-left">Search</span>
          <Kbd keys={["mod", "K"]} />
        </button>
      </div>
      <ProjectList />
      <nav aria-label="Chats" className="mt-3 flex min-h-0 flex-1 flex-col border-line border-t">
        <div className="flex h-11 shrink-0 items-center gap-1.5 pr-2.5 pl-4.5">
          {filter.archived && (
            <IconButton
              label="Back to all chats"
              onClick={() => setFilter({ ...filter, archived: false })}
              className="-ml-2"
            >
              <ChevronLeft aria-hidden />
            </IconButton>
          )}
          <h2 className="mr-auto font-medium text-muted text-sm">
            {filter.archived ? "Archived" : "Chats"}
          </h2>
          {filter.tag !== null && (
            <FilterChip onClear={() => setFilter({ ...filter, tag: null })}>
              {filter.tag}
            </FilterChip>
          )}
          <SessionFilterMenu filter={filter} onChange={setFilter} knownTags={knownTags} />
        </div>
        <div className="-mt-2 min-h-0 flex-1">
          <SessionList filter={filter} knownTags={knownTags} />
        </div>
        {!filter.archived && filter.tag === null && <ProgramsGroup knownTags={knownTags} />}
      </nav>
      <div className="shrink-0 border-line border-t p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        <PersonMenu name={personName} />
      </div>
    </div>
  );
}

function SidebarHeader() {
  const approach = usePrefetchOnApproach();
  return (
    <div className="flex h-13 shrink-0 items-center gap-2 pr-2.5 pl-4">
      <Link
        href={inSpace("/", useSpace())}
        {...approach}
        className="relative flex items-center gap-2 rounded-sm pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-2.5"
        onClick={shellStore.closeSidebarSheet}
      >
        <Logo className="size-5.5 text-accent" />
        <span className="font-semibold text-base tracking-tight">Grove</span>
      </Link>
      <IconButton
        label="Hide chat list"
        shortcut={["mod", "B"]}
        onClick={shellStore.toggleSidebar}
        className="ml-auto"
      >
        <PanelLeft aria-hidden />
      </IconButton>
    </div>
  );
}

function FilterChip({ children, onClear }: { children: string; onClear: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Stop filtering by ${children}`}
      onClick={onClear}
      className="flex h-6 min-w-0 items-center gap-1 rounded-full bg-accent-soft px-2.5 font-medium text-accent text-xs"
    >
      <span className="truncate">{children}</span>
      <X aria-hidden className="size-3 shrink-0" />
    </button>
  );
}

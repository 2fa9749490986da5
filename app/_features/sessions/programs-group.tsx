"use client";

import { Bot, ChevronRight, X } from "lucide-react";
import { Failure } from "@/app/_api/failure";
import { onceHint } from "@/app/_data/page/once-hint";
import {
  type KnownTag,
  useOpenSessionId,
  usePrograms,
  useSessions,
} from "@/app/_data/sessions/use-sessions";
import { Button, IconButton } from "@/app/_ui/button";
import { Spinner } from "@/app/_ui/loading";
import { useStore } from "@/app/_ui/store";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { ProgramsWire } from "@/lib/chat/wire/keys";
import { SessionRow } from "./session-row";
import { useSessionActions } from "./use-session-actions";
import { useTagsDialog } from "./use-tags-dialog";

export function ProgramsGroup({ knownTags }: { knownTags: readonly KnownTag[] }) {
  const programs = usePrograms().data?.programs ?? [];
  const [isOpen, setIsOpen] = useKeptState("programs", false);
  if (programs.length === 0) return null;
  return (
    <section
      aria-label="Programs"
      className="flex max-h-1/2 shrink-0 flex-col border-line border-t py-1"
    >
      <h3>
        <Disclosure isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} className="text-muted">
          Programs
        </Disclosure>
      </h3>
      <Hint />
      {isOpen && (
        <ul className="min-h-0 overflow-y-auto pb-2">
          {programs.map((program) => (
            <ProgramChats key={program.id} program={program} knownTags={knownTags} />
          ))}
        </ul>
      )}
    </section>
  );
}

const hintStore = onceHint("programs");

/** Chats listed before an upgrade would seem gone. */
function Hint() {
  if (!useStore(hintStore)) return null;
  return (
    <p className="mx-4.5 mb-1 flex items-start gap-2 text-muted text-xs">
      <span>
        Chats that programs began are kept here, out of your list. Pin one, or branch it in a new
        chat, to have it there.
      </span>
      <IconButton label="Dismiss" size="sm" onClick={() => hintStore.update(() => false)}>
        <X aria-hidden />
      </IconButton>
    </p>
  );
}

interface ProgramChatsProps {
  readonly program: ProgramsWire["programs"][number];
  readonly knownTags: readonly KnownTag[];
}

function ProgramChats({ program, knownTags }: ProgramChatsProps) {
  const [isOpen, setIsOpen] = useKeptState(`programs/${program.id}`, false);
  return (
    <li>
      <Disclosure isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} className="text-ink">
        <Bot aria-hidden className="size-3.5 shrink-0 text-faint" />
        <bdi className="truncate">{program.name}</bdi>
      </Disclosure>
      {isOpen && <ChatsOf programId={program.id} knownTags={knownTags} />}
    </li>
  );
}

function ChatsOf({
  programId,
  knownTags,
}: Pick<ProgramChatsProps, "knownTags"> & { readonly programId: string }) {
  const list = useSessions({ archived: false, tag: null, program: programId });
  const openId = useOpenSessionId();
  const actions = useSessionActions();
  const { editTags, tagsDialog } = useTagsDialog(knownTags, actions);
  if (list.isPending) return <Spinner label="Loading chats" />;
  if (list.isError && list.sessions.length === 0) return <Failure of={list} className="mx-3" />;
  return (
    <>
      {list.sessions.map((session) => (
        <SessionRow
          key={session.id}
          session={session}
          parentTitle={null}
          isOpen={session.id === openId}
          actions={actions}
          onEditTags={(each) => editTags([each])}
        />
      ))}
      {list.hasNextPage && (
        <Button
          size="sm"
          variant="ghost"
          className="mx-3"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {tagsDialog}
    </>
  );
}

interface DisclosureProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly className: string;
  readonly children: React.ReactNode;
}

function Disclosure({ isOpen, onToggle, className, children }: DisclosureProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className={`mx-2 flex h-8 pointer-coarse:h-11 w-[calc(100%-1rem)] items-center gap-2 rounded-md px-2.5 text-left text-sm hover:bg-hover/60 ${className}`}
    >
      <ChevronRight
        aria-hidden
        className={`size-3.5 shrink-0 text-faint transition-transform ${isOpen ? "rotate-90" : ""}`}
      />
      {children}
    </button>
  );
}

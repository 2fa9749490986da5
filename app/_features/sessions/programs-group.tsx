"use client";

import { Bot, ChevronRight, X } from "lucide-react";
import dynamic from "next/dynamic";
import { onceHint } from "@/app/_data/page/once-hint";
import { type KnownTag, usePrograms } from "@/app/_data/sessions/use-sessions";
import { IconButton } from "@/app/_ui/button";
import { Spinner } from "@/app/_ui/loading";
import { useStore } from "@/app/_ui/store";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { ProgramsWire } from "@/lib/chat/wire/keys";

const ProgramChats = dynamic(() => import("./program-chats").then((part) => part.ProgramChats), {
  ssr: false,
  loading: () => <Spinner label="Loading chats" />,
});

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
            <ProgramLine key={program.id} program={program} knownTags={knownTags} />
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

interface ProgramLineProps {
  readonly program: ProgramsWire["programs"][number];
  readonly knownTags: readonly KnownTag[];
}

function ProgramLine({ program, knownTags }: ProgramLineProps) {
  const [isOpen, setIsOpen] = useKeptState(`programs/${program.id}`, false);
  return (
    <li>
      <Disclosure isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} className="text-ink">
        <Bot aria-hidden className="size-3.5 shrink-0 text-faint" />
        <bdi className="truncate">{program.name}</bdi>
      </Disclosure>
      {isOpen && <ProgramChats programId={program.id} knownTags={knownTags} />}
    </li>
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

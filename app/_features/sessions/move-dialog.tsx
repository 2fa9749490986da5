"use client";

import { Folder, MessageSquare } from "lucide-react";
import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import { useProjects } from "@/app/_data/projects/use-projects";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import { Dialog } from "@/app/_ui/dialog";
import { Input } from "@/app/_ui/fields";
import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { pageSpace } from "@/app/_ui/page-space";
import type { SessionWire } from "@/lib/chat/wire/sessions";

/** A project, or with `null` the person's own chats. */
export interface MoveTarget {
  readonly space: string | null;
  readonly name: string;
}

const searchFrom = 10;

interface MoveDialogProps {
  readonly sessions: readonly SessionWire[];
  readonly onMove: (target: MoveTarget) => void;
  readonly onClose: () => void;
}

export function MoveDialog({ sessions, onMove, onClose }: MoveDialogProps) {
  const projects = useProjects();
  const [query, setQuery] = useState("");
  const own = { space: null, name: "My chats", readers: 0 };
  const others = (projects.data?.projects ?? []).flatMap(({ id, name, role, others }) =>
    role === "reader" ? [] : [{ space: id, name, readers: others }],
  );
  const targets = [own, ...others].filter(({ space }) => space !== pageSpace);
  const words = query.toLowerCase().trim();
  const found = targets.filter(({ name }) => name.toLowerCase().includes(words));
  const [first] = sessions;
  const what =
    sessions.length === 1 && first
      ? `“${isolated(sessionTitle(first))}”`
      : countOf(sessions.length, "chat");
  return (
    <Dialog
      onClose={onClose}
      title="Move to…"
      description={`${what} moves with all branches, files and tasks. From then on answers read the instructions and memory of the new place, and use an assistant only if that has the same one.`}
    >
      {pageSpace === null && (
        <p className="mb-3 text-muted text-sm">
          Your memory stays yours. Messages and summaries go along word for word, also where they
          quote it.
        </p>
      )}
      {targets.length > searchFrom && (
        <Input
          type="search"
          aria-label="Search projects"
          placeholder="Search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="mb-2"
        />
      )}
      {projects.isError && <Failure of={projects} className="mb-2" />}
      <ul aria-label="Places" className="-mx-2 max-h-80 overflow-y-auto">
        {found.map((target) => (
          <li key={target.space}>
            <button
              type="button"
              onClick={() => {
                onClose();
                onMove(target);
              }}
              className="flex h-9 pointer-coarse:h-11 w-full items-center gap-2.5 rounded-md px-2.5 text-left text-sm transition-colors hover:bg-hover"
            >
              {target.space === null ? (
                <MessageSquare aria-hidden className="size-4 shrink-0 text-muted" />
              ) : (
                <Folder aria-hidden className="size-4 shrink-0 text-muted" />
              )}
              <bdi className="min-w-0 truncate">{target.name}</bdi>
              {target.readers > 0 && (
                <span className="ml-auto shrink-0 text-faint text-xs">
                  Shared with {target.readers}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {projects.data && found.length === 0 && (
        <p className="text-muted text-sm">
          {targets.length === 0 ? "Make a project first." : "No project has this name."}
        </p>
      )}
    </Dialog>
  );
}

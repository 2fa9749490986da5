"use client";

import { Command } from "cmdk";
import {
  Archive,
  ArchiveRestore,
  ChartColumn,
  ChevronDown,
  Columns2,
  Copy,
  CornerDownRight,
  CornerUpRight,
  FileJson,
  FileText,
  Folder,
  FolderInput,
  Gauge,
  GitFork,
  Keyboard,
  ListTree,
  MessageCircleDashed,
  MessageSquare,
  Monitor,
  Moon,
  NotebookPen,
  PanelLeft,
  PanelsTopLeft,
  Paperclip,
  Pencil,
  Pin,
  PinOff,
  Printer,
  ScrollText,
  Settings,
  Share2,
  Shrink,
  SquarePen,
  Sun,
  Tag,
  TextSearch,
  Trash2,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { useProjects } from "@/app/_data/projects/use-projects";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import { useSessions } from "@/app/_data/sessions/use-sessions";
import { Badge } from "@/app/_ui/badge";
import { countOf } from "@/app/_ui/format-amount";
import { Kbd } from "@/app/_ui/kbd";
import { MarkedWords, Snippet } from "@/app/_ui/marked-words";
import { inSpace, pageSpace } from "@/app/_ui/page-space";
import { RelativeTime } from "@/app/_ui/relative-time";
import type { FileHitWire, SearchHitWire, SearchWire } from "@/lib/chat/wire/search";
import type { PaletteAction, PaletteActionId } from "./palette-actions";
import { hitsBySession } from "./use-palette-choices";

type OpenPath = (path: string) => void;

const recentCount = 6;

const actionIcons: Record<PaletteActionId, typeof Sun> = {
  "new-chat": SquarePen,
  "temporary-chat": MessageCircleDashed,
  "drawer-memory": NotebookPen,
  "drawer-context": Gauge,
  "drawer-tree": ListTree,
  find: TextSearch,
  compact: Shrink,
  fork: GitFork,
  compare: Columns2,
  "bring-along": CornerUpRight,
  rename: Pencil,
  pin: Pin,
  unpin: PinOff,
  tags: Tag,
  archive: Archive,
  unarchive: ArchiveRestore,
  move: FolderInput,
  share: Share2,
  "save-page": PanelsTopLeft,
  "export-json": FileJson,
  "export-markdown": FileText,
  "copy-markdown": Copy,
  print: Printer,
  delete: Trash2,
  settings: Settings,
  deleted: Trash2,
  usage: ChartColumn,
  shortcuts: Keyboard,
  sidebar: PanelLeft,
  "theme-light": Sun,
  "theme-dark": Moon,
  "theme-system": Monitor,
};

const placeNames: Record<SearchHitWire["place"], string | null> = {
  active: null,
  branch: "In another branch",
  "under-summary": "Summarized",
  summary: null,
};

const roleNames: Record<SearchHitWire["role"], string> = {
  user: "You",
  assistant: "Answer",
  system: "System",
};

export function RecentGroup({ openId, onOpen }: { openId: string | null; onOpen: OpenPath }) {
  const { sessions } = useSessions({ archived: false, tag: null });
  const recent = sessions
    .filter(({ id }) => id !== openId)
    .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, recentCount);
  return <SessionGroup heading="Recent" sessions={recent} onOpen={onOpen} />;
}

const mostProjects = 5;

export function ProjectGroup({ query, onOpen }: { query: string; onOpen: OpenPath }) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (useProjects().data?.projects ?? [])
    .filter(
      ({ id, name }) =>
        id !== pageSpace && words.every((word) => name.toLowerCase().includes(word)),
    )
    .slice(0, mostProjects);
  if (found.length === 0) return null;
  return (
    <PaletteGroup heading="Projects">
      {found.map(({ id, name, icon }) => (
        <PaletteItem
          key={id}
          id={`project ${id}`}
          icon={icon ?? <Folder aria-hidden />}
          onSelect={() => onOpen(inSpace("/", id))}
        >
          <span className="min-w-0 flex-1 truncate text-sm">{name}</span>
        </PaletteItem>
      ))}
    </PaletteGroup>
  );
}

const firstTitles = 5;

export function FoundSessions({
  sessions,
  onOpen,
}: Pick<SessionGroupProps, "sessions" | "onOpen">) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? sessions : sessions.slice(0, firstTitles);
  const rest = sessions.length - shown.length;
  return (
    <SessionGroup heading="Chats" sessions={shown} onOpen={onOpen}>
      {rest > 0 && (
        <MoreItem
          id="more chats"
          label={`Show ${countOf(rest, "more chat")}`}
          onSelect={() => setIsWhole(true)}
        />
      )}
    </SessionGroup>
  );
}

export interface MoreItemProps {
  id: string;
  label: string;
  onSelect: () => void;
}

export function MoreItem({ id, label, onSelect }: MoreItemProps) {
  return (
    <PaletteItem id={id} icon={<ChevronDown aria-hidden />} onSelect={onSelect}>
      <span className="flex-1 text-muted text-sm">{label}</span>
    </PaletteItem>
  );
}

interface SessionGroupProps {
  heading: string;
  sessions: SearchWire["sessions"];
  onOpen: OpenPath;
  space?: string | null;
  children?: ReactNode;
}

export function SessionGroup({ heading, sessions, onOpen, space, children }: SessionGroupProps) {
  if (sessions.length === 0) return null;
  return (
    <PaletteGroup heading={heading}>
      {sessions.map((session) => (
        <PaletteItem
          key={session.id}
          id={`${inSpace("session", space)} ${session.id}`}
          icon={<MessageSquare aria-hidden />}
          onSelect={() => onOpen(sessionAddress(session.id, space))}
        >
          <span className="min-w-0 flex-1 truncate text-sm">{sessionTitle(session)}</span>
          <RelativeTime at={session.updatedAt} className="shrink-0 text-faint text-xs leading-5" />
        </PaletteItem>
      ))}
      {children}
    </PaletteGroup>
  );
}

export interface ActionGroupProps {
  heading: string;
  actions: readonly PaletteAction[];
  onRun: (action: PaletteAction) => void;
}

export function ActionGroup({ heading, actions, onRun }: ActionGroupProps) {
  if (actions.length === 0) return null;
  return (
    <PaletteGroup heading={heading}>
      {actions.map((action) => {
        const { id, label, keys } = action;
        const Icon = actionIcons[id];
        return (
          <PaletteItem
            key={id}
            id={`action ${id}`}
            icon={<Icon aria-hidden />}
            onSelect={() => onRun(action)}
          >
            <span className="flex-1 text-sm">{label}</span>
            {keys && <Kbd keys={keys} />}
          </PaletteItem>
        );
      })}
    </PaletteGroup>
  );
}

export interface HitGroupsProps {
  hits: readonly SearchHitWire[];
  onOpen: (hit: SearchHitWire) => void;
  place?: { readonly space: string | null; readonly name: string };
}

export function HitGroups({ hits, onOpen, place }: HitGroupsProps) {
  return hitsBySession(hits).map(({ sessionId, sessionTitle: title, hits: members }) => (
    <PaletteGroup
      key={sessionId}
      heading={place ? `${place.name} › ${sessionTitle({ title })}` : sessionTitle({ title })}
    >
      {members.map((hit) => (
        <PaletteItem
          key={hit.id}
          id={`${inSpace("hit", place?.space)} ${hit.sessionId} ${hit.id}`}
          icon={
            hit.place === "summary" ? <ScrollText aria-hidden /> : <CornerDownRight aria-hidden />
          }
          onSelect={() => onOpen(hit)}
        >
          <Hit hit={hit} />
        </PaletteItem>
      ))}
    </PaletteGroup>
  ));
}

function Hit({ hit }: { hit: SearchHitWire }) {
  const place = placeNames[hit.place];
  return (
    <span data-tall className="min-w-0 flex-1">
      <span className="flex items-center gap-2 text-faint text-xs leading-5">
        <span className="font-medium text-ink">
          {hit.place === "summary" ? "In a summary" : roleNames[hit.role]}
        </span>
        <RelativeTime at={hit.createdAt} />
        {hit.part && <Badge>In a tool call</Badge>}
        {hit.isEdited && <Badge>Edited by you</Badge>}
        {place && <Badge tone={hit.place === "branch" ? "accent" : "neutral"}>{place}</Badge>}
      </span>
      <Snippet snippet={hit.snippet} />
    </span>
  );
}

export interface FileGroupProps {
  files: SearchWire["files"];
  onOpen: (file: FileHitWire) => void;
}

export function FileGroup({ files, onOpen }: FileGroupProps) {
  if (files.length === 0) return null;
  return (
    <PaletteGroup heading="Files">
      {files.map((file) => (
        <PaletteItem
          key={file.sha256}
          id={`file ${file.sha256}`}
          icon={<Paperclip aria-hidden />}
          onSelect={() => onOpen(file)}
        >
          <span data-tall className="min-w-0 flex-1">
            <span className="flex items-center gap-2 text-sm">
              <span className="truncate">{file.name}</span>
              {file.pages && <Badge>Page {file.page}</Badge>}
            </span>
            <Snippet snippet={file.snippet} />
          </span>
        </PaletteItem>
      ))}
    </PaletteGroup>
  );
}

export interface DocumentGroupProps {
  documents: SearchWire["documents"];
  onOpen: (document: SearchWire["documents"][number]) => void;
}

export function DocumentGroup({ documents, onOpen }: DocumentGroupProps) {
  if (documents.length === 0) return null;
  return (
    <PaletteGroup heading="Memory">
      {documents.map((document) => (
        <PaletteItem
          key={`${document.sessionId} ${document.label} ${document.key}`}
          id={`document ${document.sessionId} ${document.label} ${document.key}`}
          icon={<FileText aria-hidden />}
          onSelect={() => onOpen(document)}
        >
          <span data-tall className="min-w-0 flex-1">
            <span className="flex items-center gap-2 text-sm">
              <span className="truncate">
                <MarkedWords text={document.title} />
              </span>
              <Badge>{document.label}</Badge>
            </span>
            <Snippet snippet={document.snippet} />
          </span>
        </PaletteItem>
      ))}
    </PaletteGroup>
  );
}

interface PaletteItemProps {
  id: string;
  icon: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}

function PaletteItem({ id, icon, onSelect, children }: PaletteItemProps) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex min-h-10 pointer-coarse:min-h-11 cursor-pointer items-start gap-3 rounded-md px-2.5 py-2 data-[selected=true]:bg-hover [&>svg]:mt-0.75 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint data-[selected=true]:[&>svg]:text-accent"
    >
      {icon}
      {children}
    </Command.Item>
  );
}

function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:truncate [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  );
}

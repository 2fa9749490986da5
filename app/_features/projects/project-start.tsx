"use client";

import { useQuery } from "@tanstack/react-query";
import {
  BookOpen,
  Download,
  Ellipsis,
  Folder,
  NotebookPen,
  Pencil,
  Scroll,
  Trash2,
} from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useId, useState } from "react";
import { api } from "@/app/_api/api";
import { apiPath } from "@/app/_api/api-path";
import { queryKeys } from "@/app/_api/query-keys";
import { toastError } from "@/app/_api/toast-error";
import { deletedProject } from "@/app/_data/page/arrival";
import { useChangeProject, useDeleteProject, useProject } from "@/app/_data/projects/use-projects";
import { Button, IconButton } from "@/app/_ui/button";
import { countOf } from "@/app/_ui/format-amount";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { inSpace } from "@/app/_ui/page-space";
import { Switch } from "@/app/_ui/toggles";
import { leaveDocument } from "@/app/_ui/use-back-closes";
import { filesLabel } from "@/lib/chat/wire/knowledge";
import type { ProjectWire } from "@/lib/chat/wire/projects";

const ProjectDialog = dynamic(() => import("./project-dialog").then((part) => part.ProjectDialog), {
  ssr: false,
});

export function ProjectGreeting() {
  return (
    <div className="mx-auto flex w-full max-w-column flex-[2_0_auto] flex-col justify-end px-5 pt-6 pb-5">
      <Folder aria-hidden className="size-9 text-accent" strokeWidth={1.5} />
      <h2 className="mt-4 min-h-8 font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]">
        <bdi>{useProject()?.name}</bdi>
      </h2>
      <p className="mt-2 text-muted">Chats here share instructions, memory and files.</p>
    </div>
  );
}

const places = [
  { section: "blocks", label: "Instructions and memory", icon: NotebookPen },
  { section: "knowledge", label: "Knowledge", icon: BookOpen },
  { section: "skills", label: "Skills", icon: Scroll },
] as const;

export function ProjectBelow() {
  const project = useProject();
  if (!project) return null;
  return (
    <div className="min-h-0 flex-[3_1_0] overflow-y-auto">
      <div className="mx-auto flex w-full max-w-column flex-col gap-4 px-5 pt-1 pb-8">
        <div className="-mx-2.5 flex flex-wrap items-center gap-1">
          {places.map(({ section, label, icon: Icon }) => (
            <Button key={section} size="sm" variant="ghost" asChild>
              <Link href={inSpace(`/settings?section=${section}`)}>
                <Icon aria-hidden />
                {label}
                {section === "knowledge" && <FileCount />}
              </Link>
            </Button>
          ))}
          <ProjectMenu project={project} />
        </div>
        <PersonalMemory project={project} />
      </div>
    </div>
  );
}

function FileCount() {
  const { data } = useQuery({
    queryKey: queryKeys.entries(null, filesLabel, ""),
    queryFn: async ({ signal }) => {
      const params = { blockId: filesLabel };
      const query = { session: null, q: "" };
      return (await api("GET /api/blocks/:blockId/entries", { params, query, signal })).entries;
    },
  });
  return (
    data && data.length > 0 && <span className="text-faint">{countOf(data.length, "file")}</span>
  );
}

function PersonalMemory({ project: { id, personalMemory } }: { project: ProjectWire }) {
  const switchId = useId();
  const changing = useChangeProject();
  const shown = changing.isPending ? changing.variables.personalMemory : personalMemory;
  return (
    <div className="flex items-start gap-3 text-sm">
      <Switch
        id={switchId}
        checked={shown === true}
        describedBy={`${switchId}-note`}
        onChange={(next) => changing.mutate({ id, personalMemory: next }, { onError: toastError })}
      />
      <div>
        <label htmlFor={switchId}>Use my memory here</label>
        <p id={`${switchId}-note`} className="max-w-[52ch] text-muted text-xs">
          Answers also read your own instructions and memory. The project's come first where they
          differ, and nothing here changes yours.
        </p>
      </div>
    </div>
  );
}

function ProjectMenu({ project }: { project: ProjectWire }) {
  const [isRenaming, setIsRenaming] = useState(false);
  const deleting = useDeleteProject();
  const remove = () =>
    deleting.mutate(project.id, {
      onSuccess: () => leaveDocument(deletedProject.address(project.id)),
      onError: toastError,
    });
  return (
    <>
      <Menu
        align="start"
        trigger={
          <IconButton label="More of this project" tooltip="none">
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setIsRenaming(true)}>
          Rename
        </MenuItem>
        <MenuItem
          icon={<Download aria-hidden />}
          onSelect={() => location.assign(apiPath("/api/export"))}
        >
          Export project
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={remove}>
          Delete project
        </MenuItem>
      </Menu>
      {isRenaming && <ProjectDialog project={project} onClose={() => setIsRenaming(false)} />}
    </>
  );
}

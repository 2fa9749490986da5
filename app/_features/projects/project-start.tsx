"use client";

import { useQuery } from "@tanstack/react-query";
import {
  BookOpen,
  ChevronDown,
  Download,
  Ellipsis,
  NotebookPen,
  Pencil,
  Scroll,
  Trash2,
  Users,
} from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useId, useState } from "react";
import { api } from "@/app/_api/api";
import { apiPath } from "@/app/_api/api-path";
import { queryKeys } from "@/app/_api/query-keys";
import { toastError } from "@/app/_api/toast-error";
import { assistantLabel, useAssistants } from "@/app/_data/assistants/use-assistants";
import { useModelName } from "@/app/_data/models/use-models";
import { deletedProject } from "@/app/_data/page/arrival";
import { ProjectIcon } from "@/app/_data/projects/project-icon";
import {
  useChangeProject,
  useDeleteProject,
  useProject,
  useProjects,
} from "@/app/_data/projects/use-projects";
import { ModelButton } from "@/app/_message/models/model-picker";
import { Button, IconButton } from "@/app/_ui/button";
import { countOf } from "@/app/_ui/format-amount";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { inSpace } from "@/app/_ui/page-space";
import { Writes } from "@/app/_ui/reads-only";
import { SelectField } from "@/app/_ui/select";
import { Switch } from "@/app/_ui/toggles";
import { leaveDocument } from "@/app/_ui/use-back-closes";
import { filesLabel } from "@/lib/chat/wire/knowledge";
import type { ProjectWire } from "@/lib/chat/wire/projects";

const MembersDialog = dynamic(() => import("./members-dialog").then((part) => part.MembersDialog), {
  ssr: false,
});

const ProjectDialog = dynamic(() => import("./project-dialog").then((part) => part.ProjectDialog), {
  ssr: false,
});

export function ProjectGreeting() {
  const project = useProject();
  return (
    <div className="mx-auto flex w-full max-w-column flex-[2_0_auto] flex-col justify-end px-5 pt-6 pb-5">
      <ProjectIcon
        icon={project?.icon ?? null}
        className="size-9 stroke-[1.5] text-3xl text-accent leading-9 [&_svg]:stroke-[1.5]"
      />
      <h2 className="mt-4 min-h-8 font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]">
        <bdi>{project?.name}</bdi>
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
          <PeopleButton project={project} />
          <Writes>
            <ProjectMenu project={project} />
          </Writes>
        </div>
        <Writes>
          <Defaults project={project} />
          <PersonalMemory project={project} />
        </Writes>
      </div>
    </div>
  );
}

/** No key is blank. */
const none = " ";

function Defaults({ project }: { project: ProjectWire }) {
  const { id, defaultAssistant, defaultModel } = project;
  const changing = useChangeProject();
  const { data } = useAssistants();
  const nameOf = useModelName();
  const change = (next: Partial<Pick<ProjectWire, "defaultAssistant" | "defaultModel">>) =>
    changing.mutate({ id, ...next }, { onError: toastError });
  const listed = (data?.assistants ?? []).filter(({ problem }) => problem === null);
  const isGone = data && !listed.some(({ key }) => key === defaultAssistant);
  const label = defaultModel === null ? "Yours" : nameOf(defaultModel);
  return (
    <div className="grid max-w-md gap-3 sm:grid-cols-2">
      <SelectField
        label="Default assistant"
        value={defaultAssistant ?? none}
        options={[
          { value: none, label: "None" },
          ...(defaultAssistant !== null && isGone
            ? [{ value: defaultAssistant, label: "Deleted: none is used" }]
            : []),
          ...listed.map((each) => ({
            value: each.key,
            label: assistantLabel(each),
            note: each.description,
          })),
        ]}
        onChange={(key) => change({ defaultAssistant: key === none ? null : key })}
      />
      <div className="flex min-w-0 flex-col gap-1.5">
        <span aria-hidden className="font-medium text-sm">
          Default model
        </span>
        <ModelButton
          title="Default model of this project"
          label={`Default model: ${label}`}
          size="md"
          className="justify-between! w-full font-normal"
          hasAutomatic
          chosen={defaultModel === null ? [] : [defaultModel]}
          onChoose={(ref) => change({ defaultModel: ref })}
        >
          <span className="truncate">{label}</span>
          <ChevronDown aria-hidden />
        </ModelButton>
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

function PersonalMemory({ project: { id, personalMemory, others } }: { project: ProjectWire }) {
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
          {others > 0 && " Other members read the answers, which can repeat it."}
        </p>
      </div>
    </div>
  );
}

function PeopleButton({ project }: { project: ProjectWire }) {
  const { data } = useProjects();
  const [isOpen, setIsOpen] = useState(false);
  if (!data?.hasAccounts) return null;
  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setIsOpen(true)}>
        <Users aria-hidden />
        People
        {project.others > 0 && <span className="text-faint">{project.others + 1}</span>}
      </Button>
      {isOpen && <MembersDialog project={project} onClose={() => setIsOpen(false)} />}
    </>
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
          Name and icon
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

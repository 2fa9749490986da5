"use client";

import { ChevronLeft, FolderPlus, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { Failure } from "@/app/_api/failure";
import { ProjectIcon } from "@/app/_data/projects/project-icon";
import { useProjects } from "@/app/_data/projects/use-projects";
import { IconButton } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { inSpace } from "@/app/_ui/page-space";
import { useSpace } from "@/app/_ui/use-space";

const ProjectDialog = dynamic(() => import("./project-dialog").then((part) => part.ProjectDialog), {
  ssr: false,
});

export function ProjectList() {
  const space = useSpace();
  const projects = useProjects();
  const [isMaking, setIsMaking] = useState(false);
  const all = projects.data?.projects ?? [];
  return (
    <nav aria-label="Projects" className="mt-0.5 flex max-h-2/5 shrink-0 flex-col px-2">
      {space !== null && (
        <PlaceLink href="/" icon={<ChevronLeft aria-hidden className={iconLook} />}>
          My chats
        </PlaceLink>
      )}
      {all.length > 0 ? (
        <>
          <div className="flex h-9 shrink-0 items-center pr-0.5 pl-2.5">
            <h2 className="mr-auto font-medium text-muted text-sm">Projects</h2>
            <IconButton label="New project" onClick={() => setIsMaking(true)}>
              <Plus aria-hidden />
            </IconButton>
          </div>
          <ul className="min-h-0 overflow-y-auto">
            {all.map(({ id, name, icon }) => (
              <li key={id}>
                <PlaceLink
                  href={inSpace("/", id)}
                  icon={<ProjectIcon icon={icon} className={iconLook} />}
                  isCurrent={id === space}
                >
                  <bdi>{name}</bdi>
                </PlaceLink>
              </li>
            ))}
          </ul>
        </>
      ) : projects.isError ? (
        <Failure of={projects} className="my-1" />
      ) : (
        // While they are read, too: most people have none, and the list below would move.
        <button
          type="button"
          onClick={() => setIsMaking(true)}
          className={`w-full text-muted ${line}`}
        >
          <FolderPlus aria-hidden className="size-4" />
          New project
        </button>
      )}
      {isMaking && <ProjectDialog project={null} onClose={() => setIsMaking(false)} />}
    </nav>
  );
}

const line =
  "flex h-9 pointer-coarse:h-11 items-center gap-2.5 rounded-md px-2.5 text-left text-sm transition-colors hover:bg-hover";

const iconLook = "size-4 shrink-0 text-muted text-sm leading-4";

interface PlaceLinkProps {
  readonly href: string;
  readonly icon: ReactNode;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/** No link of the router, since another space is another document. */
function PlaceLink({ href, icon, isCurrent = false, children }: PlaceLinkProps) {
  return (
    <a
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className={classNames(line, isCurrent && "bg-accent-soft font-medium text-accent")}
    >
      {icon}
      <span className="min-w-0 truncate">{children}</span>
    </a>
  );
}

"use client";

import type { ComponentProps } from "react";
import { apiPath } from "@/app/_api/api-path";
import { Failure } from "@/app/_api/failure";
import { useProjects } from "@/app/_data/projects/use-projects";
import { Button } from "@/app/_ui/button";
import { isolated } from "@/app/_ui/isolated";

interface AccountDownloadsProps extends Pick<ComponentProps<typeof Button>, "variant" | "size"> {
  readonly label: string;
  readonly onDownload?: () => void;
}

export function AccountDownloads({ label, onDownload, ...look }: AccountDownloadsProps) {
  const projects = useProjects();
  const deleted = useProjects({ deleted: true });
  const shown = (projects.data?.projects ?? []).filter(({ isOnlyOwner }) => isOnlyOwner);
  return (
    <>
      <Button asChild {...look}>
        <a href={apiPath("/api/export", null)} onClick={onDownload}>
          {label}
        </a>
      </Button>
      {shown.length > 0 && (
        <ul aria-label="Projects" className="flex flex-col gap-2 text-sm">
          {shown.map(({ id, name }) => (
            <li key={id}>
              <a
                href={apiPath("/api/export", id)}
                className="text-accent underline [overflow-wrap:anywhere]"
              >
                Download “{isolated(name)}”
              </a>
            </li>
          ))}
        </ul>
      )}
      {(deleted.data?.projects.length ?? 0) > 0 && (
        <p className="text-muted text-sm">Recently deleted projects are in no download.</p>
      )}
      <Failure of={projects.isError ? projects : deleted} />
    </>
  );
}

"use client";

import { Folder } from "lucide-react";
import { Failure } from "@/app/_api/failure";
import { toastError } from "@/app/_api/toast-error";
import { useProjects, useRestoreProject } from "@/app/_data/projects/use-projects";
import { Button } from "@/app/_ui/button";
import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SettingsCard, SettingsLine } from "@/app/_ui/settings-section";
import { toastDone } from "@/app/_ui/toast";

export function DeletedProjects() {
  const deleted = useProjects({ deleted: true });
  const restoring = useRestoreProject();
  const projects = deleted.data?.projects ?? [];
  if (deleted.isError) return <Failure of={deleted} />;
  if (projects.length === 0) return null;
  return (
    <SettingsCard>
      {projects.map(({ id, name, deletedAt, goneAt }) => (
        <SettingsLine
          key={id}
          title={
            <>
              <Folder aria-hidden className="size-4 shrink-0 text-muted" />
              {isolated(name)}
            </>
          }
          note={
            <>
              Project with its chats and memory
              {deletedAt !== undefined && (
                <>
                  {" · deleted "}
                  <RelativeTime at={deletedAt} />
                </>
              )}
              {goneAt !== undefined && ` · ${daysLeft(goneAt)}`}
            </>
          }
        >
          <Button
            size="sm"
            aria-label={`Restore “${name}”`}
            busy={restoring.isPending && restoring.variables === id}
            onClick={() =>
              restoring.mutate(id, {
                onSuccess: () => toastDone(`“${name}” restored.`),
                onError: toastError,
              })
            }
          >
            Restore
          </Button>
        </SettingsLine>
      ))}
    </SettingsCard>
  );
}

export function daysLeft(goneAt: string): string {
  const days = Math.floor((Date.parse(goneAt) - Date.now()) / 86_400_000);
  return days < 1 ? "Less than a day left" : `${countOf(days, "day")} left`;
}

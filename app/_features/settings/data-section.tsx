"use client";

import { Download } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { isFirstTry } from "@/app/_api/first-try";
import { toastRetry } from "@/app/_api/toast-error";
import { fileSize } from "@/app/_data/files/file-words";
import { useProjects } from "@/app/_data/projects/use-projects";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { useRestoreExample } from "@/app/_data/sessions/use-session-mutations";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { useSettings } from "@/app/_data/settings/use-settings";
import { Button } from "@/app/_ui/button";
import { SettingsCard, SettingsLine, SettingsSection } from "@/app/_ui/settings-section";
import type { StorageWire } from "@/lib/chat/wire/files";
import type { SettingsWire } from "@/lib/chat/wire/settings";
import { BackupList } from "./backup-list";
import { DeleteLine } from "./delete-line";
import { ImportLine } from "./import-line";
import { SharedLinks } from "./shared-links";
import { useBackups, useStorage } from "./use-data";

export function DataSection() {
  const settings = useSettings();
  const hasBackups = typeof settings.data?.dataLocation === "string";
  const backups = useBackups({ enabled: hasBackups });
  const storage = useStorage();
  const hasProjects = (useProjects().data?.projects.length ?? 0) > 0;
  if (!settings.data || isFirstTry(backups) || isFirstTry(storage))
    return <SectionPending query={settings} />;
  const { dataLocation, example } = settings.data;
  return (
    <SettingsSection
      title="Data"
      note={
        dataLocation === null
          ? "Chats, memory and settings stay in this Grove's database."
          : "Chats, memory and settings stay in your own Postgres database."
      }
    >
      <SettingsCard>
        <SettingsLine
          title="Export everything"
          note={`Chats with all branches, memory with all versions, skills, usage and settings. JSONL, API keys excluded.${hasProjects ? " Export projects from their own menus." : ""}`}
        >
          <Button asChild size="sm">
            <a href="/api/export">
              <Download aria-hidden /> Export
            </a>
          </Button>
        </SettingsLine>
        <ImportLine />
        <SettingsLine
          title="Usage and cost"
          note="Requests, tokens and cost by model, chat and day."
        >
          <Button asChild size="sm">
            <Link href="/usage">Show</Link>
          </Button>
        </SettingsLine>
      </SettingsCard>
      <SettingsCard>
        {dataLocation !== null && (
          <SettingsLine
            title="Data folder"
            note={<code className="select-all font-mono">{dataLocation}</code>}
          />
        )}
        {storage.data && <SettingsLine title="Files" note={storageWords(storage.data)} />}
        <SettingsLine title="Example chat" note="Try branches, summaries, memory and search.">
          <Example example={example} />
        </SettingsLine>
      </SettingsCard>
      <SharedLinks />
      {hasBackups && <BackupList backups={backups} />}
      <SettingsCard>
        <DeleteLine />
      </SettingsCard>
    </SettingsSection>
  );
}

export function storageWords({ used, allowed }: StorageWire): string {
  const stored = `${fileSize(used)} of files stored, each counted once.`;
  if (allowed === null) return stored;
  return `${fileSize(used)} of ${fileSize(allowed)} used. To free space, delete chats with large files, then delete them for good in Recently deleted. It is free within a week.`;
}

function Example({ example }: { example: SettingsWire["example"] }) {
  const router = useRouter();
  const restoring = useRestoreExample();
  if (example.exists) {
    return (
      <Button asChild size="sm">
        <Link href={sessionAddress(example.sessionId)}>Open</Link>
      </Button>
    );
  }
  const restore = () =>
    restoring.mutate(undefined, {
      onSuccess: (session) => router.push(sessionAddress(session.id)),
      onError: (error) => toastRetry(error, restore),
    });
  return (
    <Button size="sm" onClick={restore} busy={restoring.isPending}>
      Recreate
    </Button>
  );
}

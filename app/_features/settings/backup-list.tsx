"use client";

import Link from "next/link";
import { Failure } from "@/app/_api/failure";
import { toastRetry } from "@/app/_api/toast-error";
import { fileSize } from "@/app/_data/files/file-words";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { formatCount } from "@/app/_ui/format-amount";
import { ErrorNotice } from "@/app/_ui/notice";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SettingsCard, SettingsGroup, SettingsLine } from "@/app/_ui/settings-section";
import type { BackupsWire, BackupWire } from "@/lib/chat/wire/backups";
import { settingsAddress } from "./settings-sections";
import { useBackUpNow, type useBackups } from "./use-data";

const kindLabels: Record<BackupWire["kind"], string> = {
  manual: "Manual",
  scheduled: "Scheduled",
  "before-upgrade": "Before an upgrade",
  "before-restore": "Before a restore",
};

const shownAtFirst = 10;

export function BackupList({ backups }: { backups: ReturnType<typeof useBackups> }) {
  const backUpNow = useBackUpNow();
  const { data } = backups;
  const start = () => backUpNow.mutate(undefined, { onError: (error) => toastRetry(error, start) });
  return (
    <SettingsGroup
      title="Backups"
      note="The whole database in one file, readable by anyone who has it. Keys stay encrypted. Restore with npm run restore."
      action={
        <Button
          size="sm"
          onClick={start}
          busy={backUpNow.isPending || Boolean(data?.runningSince)}
          disabled={!data?.place}
        >
          Back up now
        </Button>
      }
    >
      {!data && <Failure of={backups} />}
      {data && <Problems backups={data} />}
      {data && (
        <SettingsCard>
          <SettingsLine title="Last backup" note={<Place backups={data} />}>
            <span role="status" className="text-muted text-sm">
              {data.runningSince ? "Backing up…" : <LastTime at={data.lastAt} />}
            </span>
          </SettingsLine>
          <SettingsLine title="Next backup" note={<Schedule backups={data} />}>
            {data.nextAt && <NextTime at={data.nextAt} />}
          </SettingsLine>
          <StoredBackups backups={data.backups} />
        </SettingsCard>
      )}
    </SettingsGroup>
  );
}

function Problems({ backups: { failure, problem } }: { backups: BackupsWire }) {
  return (
    <>
      {problem && <ErrorNotice>{problem}</ErrorNotice>}
      {failure && (
        <ErrorNotice>
          The last backup failed <RelativeTime at={failure.at} />: {failure.message}
        </ErrorNotice>
      )}
    </>
  );
}

function Place({ backups: { place } }: { backups: BackupsWire }) {
  return place && <code className="select-all font-mono">{place}</code>;
}

function LastTime({ at }: { at: string | null }) {
  return at ? <RelativeTime at={at} /> : "Never";
}

/** A due backup starts within a minute. */
function NextTime({ at }: { at: string }) {
  const isDue = new Date(at).getTime() <= Date.now();
  return <span className="text-muted text-sm">{isDue ? "Soon" : <RelativeTime at={at} />}</span>;
}

function Schedule({ backups: { everyMs, keep } }: { backups: BackupsWire }) {
  if (everyMs === null)
    return (
      <>
        Not scheduled.{" "}
        <Link href={settingsAddress("everyone")} className="underline underline-offset-2">
          Set a time
        </Link>
      </>
    );
  return `Every ${durationOf(everyMs)}, newest ${formatCount(keep ?? 0)} kept`;
}

function StoredBackups({ backups }: { backups: readonly BackupWire[] }) {
  if (backups.length === 0) return null;
  const first = backups.slice(0, shownAtFirst);
  return (
    <ul aria-label="Backups" className="divide-y divide-line">
      {first.map(({ name, kind, madeAt, bytes }) => (
        <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-xs">
          <span className="min-w-40 flex-1 select-all font-mono [overflow-wrap:anywhere]">
            {name}
          </span>
          <Badge>{kindLabels[kind]}</Badge>
          <span className="text-muted">{fileSize(bytes)}</span>
          <RelativeTime at={madeAt} className="text-muted" />
        </li>
      ))}
      {backups.length > first.length && (
        <li className="px-4 py-2 text-muted text-xs">
          And {formatCount(backups.length - first.length)} older.
        </li>
      )}
    </ul>
  );
}

function durationOf(ms: number): string {
  const [count, unit] =
    ms % 86_400_000 === 0
      ? [ms / 86_400_000, "day"]
      : ms % 3_600_000 === 0
        ? [ms / 3_600_000, "hour"]
        : [ms / 60_000, "minute"];
  return count === 1 ? unit : `${formatCount(count)} ${unit}s`;
}

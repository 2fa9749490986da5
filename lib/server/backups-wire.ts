import type { Backups } from "@/lib/backups/backups";
import type { BackupsWire } from "@/lib/chat/wire/backups";

const mostListed = 100;

export async function backupsWire(all: Backups): Promise<BackupsWire> {
  const { place, everyMs, keep, problem, backups, ...attempt } = await all.state();
  const { runningSince, succeededAt, nextAt, failure } = attempt;
  return {
    place,
    everyMs,
    keep,
    problem,
    runningSince: runningSince?.toISOString() ?? null,
    lastAt: succeededAt?.toISOString() ?? null,
    nextAt: nextAt?.toISOString() ?? null,
    failure: failure && { at: failure.at.toISOString(), message: failure.message },
    backups: backups.slice(0, mostListed).map(({ name, kind, madeAt, bytes }) => ({
      name,
      kind,
      madeAt: madeAt.toISOString(),
      bytes,
    })),
  };
}

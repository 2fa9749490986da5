import type { Backups } from "@/lib/backups/backups";
import type { BackupsWire } from "@/lib/chat/wire/backups";
import { toWire } from "@/lib/chat/wire/wire";

const mostListed = 100;

export async function backupsWire(all: Backups): Promise<BackupsWire> {
  const { place, everyMs, keep, problem, backups, ...attempt } = await all.state();
  const { runningSince, succeededAt, nextAt, failure } = attempt;
  return toWire({
    ...{ place, everyMs, keep, problem },
    runningSince: runningSince ?? null,
    lastAt: succeededAt ?? null,
    nextAt: nextAt ?? null,
    failure: failure && { at: failure.at, message: failure.message },
    backups: backups
      .slice(0, mostListed)
      .map(({ name, kind, madeAt, bytes }) => ({ name, kind, madeAt, bytes })),
  });
}

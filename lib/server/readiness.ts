import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseReadOnly, isPassedOn } from "@/lib/chat/core/database-away";
import type { Services } from "./services";

const withinMs = 2_000;
const takesNoWrites = "The database is a standby, which takes no writes.";

function sentenceFor(error: unknown): string {
  if (isDatabaseReadOnly(error)) return takesNoWrites;
  if (isPassedOn(error)) return "A server behind the database does not answer.";
  return "The database does not answer.";
}

export async function notReadyBecause({
  runner,
  closing,
  ready,
  sql,
}: Pick<Services, "closing" | "ready" | "sql"> & {
  readonly runner: Pick<Services["runner"], "isEnding">;
}): Promise<string | null> {
  if (runner.isEnding || closing.signal.aborted) return "Grove is stopping.";
  const given = new AbortController();
  const late = delay(withinMs, "late", { signal: given.signal }).catch(() => null);
  const answers = ready()
    .then(() => sql<{ is_standby: boolean }[]>`select pg_is_in_recovery() as is_standby`)
    .then(([row]) => (row?.is_standby ? takesNoWrites : null), sentenceFor);
  const end = await Promise.race([answers, late]).finally(() => given.abort());
  return end === "late" ? "The database is being prepared or does not answer." : end;
}

import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "./services";

const withinMs = 2_000;

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
    .then(() => sql`select 1`)
    .then(
      () => null,
      () => "The database does not answer.",
    );
  const end = await Promise.race([answers, late]).finally(() => given.abort());
  return end === "late" ? "The database is being prepared or does not answer." : end;
}

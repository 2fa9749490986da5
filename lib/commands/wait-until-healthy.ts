import { setTimeout as delay } from "node:timers/promises";

export interface HealthWait {
  address: string;
  withinMs: number;
}

/** As many answers in a row: a server that cannot set itself up fails each request anew and will not recover. */
const hopelessAfter = 5;

/** Resolves with `true` once the server says that it is well, with `false` when it will not, or not within the time. */
export async function waitUntilHealthy({ address, withinMs }: HealthWait): Promise<boolean> {
  const giveUpAt = Date.now() + withinMs;
  let failures = 0;
  while (Date.now() < giveUpAt && failures < hopelessAfter) {
    const status = await statusOf(`${address}/api/health`);
    if (status === 200) return true;
    failures = status === 500 ? failures + 1 : 0;
    await delay(100, undefined, { ref: false });
  }
  return false;
}

async function statusOf(url: string): Promise<number | null> {
  try {
    // The first request waits for the migrations, so each one gets time.
    const response = await fetch(url, { signal: AbortSignal.timeout(120_000) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

import { subscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { logEvent } from "./log";
import type { Services } from "./services";

const storeMs = 5_000;
const flushMs = 2_000;
const toolsMs = 3_000;

export function shutDownOnSignals(shared: Services): void {
  const servers = new Set<Server>();
  // Next keeps its server to itself.
  subscribe("http.server.request.start", (message) => {
    servers.add((message as { server: Server }).server);
  });
  let isEnding = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (!isEnding) void shutDown(shared, servers).finally(() => process.exit(0));
      isEnding = true;
    });
  }
}

async function shutDown(
  { runner, closing, endTools, installation: { drainMs } }: Services,
  servers: ReadonlySet<Server>,
): Promise<void> {
  const { count } = runner.live;
  if (count > 0 && drainMs > 0) {
    const [answers, seconds] = [count === 1 ? "an answer" : `${count} answers`, drainMs / 1_000];
    logEvent(`Waiting up to ${seconds} s for ${answers} to end.`);
  }
  await runner.end({ drainMs, storeMs });
  closing.abort();
  const toolsEnded = Promise.race([endTools(), delay(toolsMs)]);
  const closed = [...servers].map((server) => new Promise((done) => server.close(done)));
  await Promise.race([Promise.all(closed), delay(flushMs)]);
  await toolsEnded;
}

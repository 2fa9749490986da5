import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "@/lib/commands/testing/grove-process";
import { test as base } from "./test";

interface OwnGrove {
  /** Additional environment variables. */
  groveEnvironment: Record<string, string>;
  /** True starts Grove with accounts, at a name that passkeys may be bound to, as behind one proxy. */
  hasAccounts: boolean;
  /** A Grove that only stories with this environment use. */
  grove: RunningGrove;
  groveAddress: string;
}

interface RunningGrove {
  readonly address: string;
  /** Returns everything Grove has printed. */
  log(): string;
}

/** Runs stories in a Grove started with an environment of their own. */
export const test = base.extend<object, OwnGrove>({
  groveEnvironment: [{}, { option: true, scope: "worker" }],
  hasAccounts: [false, { option: true, scope: "worker" }],
  grove: [
    async ({ groveEnvironment, hasAccounts }, use) => {
      const port = await freePort();
      const address = `http://${hasAccounts ? "localhost" : "127.0.0.1"}:${port}`;
      const accounts = hasAccounts ? { GROVE_ORIGIN: address, GROVE_TRUSTED_PROXIES: "1" } : {};
      const grove = startGrove(port, { GROVE_ORIGIN: "", ...groveEnvironment, ...accounts });
      let printed = "";
      for (const output of [grove.stdout, grove.stderr])
        output?.setEncoding("utf8").on("data", (chunk: string) => {
          printed += chunk;
        });
      grove.stderr?.pipe(process.stderr);
      try {
        await isReady(grove);
        await use({ address, log: () => printed });
      } finally {
        await stopped(grove);
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],
  groveAddress: [({ grove }, use) => use(grove.address), { scope: "worker" }],
  baseURL: ({ groveAddress }, use) => use(groveAddress),
});

function startGrove(port: number, environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", "e2e/support/start-grove.ts"], {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Grove prints its address when it answers. */
async function isReady(grove: ChildProcess): Promise<void> {
  const ended = once(grove, "exit").then(() => {
    throw new Error("Grove ended before it answered.");
  });
  await Promise.race([ended, printedAddress(grove)]);
}

async function printedAddress({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error("Grove was started without an output to read.");
  await new Promise<void>((done) => {
    createInterface({ input: stdout }).on("line", (line) => {
      if (line.includes("is ready")) done();
    });
  });
}

async function stopped(grove: ChildProcess): Promise<void> {
  if (grove.exitCode !== null) return;
  const exit = once(grove, "exit");
  grove.kill("SIGTERM");
  await exit;
}

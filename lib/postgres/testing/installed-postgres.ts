import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chooseAccount } from "@/lib/storage/embedded/account";
import { type Binaries, programPath } from "@/lib/storage/embedded/binaries";
import { adminAddress, chooseListen, forgetListen } from "@/lib/storage/embedded/listen";
import { giveTo, type Placement } from "@/lib/storage/embedded/placement";
import { runProgram } from "@/lib/storage/embedded/run-program";
import { startServer, stopServer } from "@/lib/storage/embedded/server";
import type { ServerSettings } from "@/lib/storage/embedded/server-settings";

/** Install locations of Debian and Ubuntu, Red Hat. */
const packagedAt = (version: string) => [`/usr/lib/postgresql/${version}`, `/usr/pgsql-${version}`];

/** The folder with `bin` of this major version; `null` when not installed. */
export function findInstalledPostgres(version: string): string | null {
  const hasServer = (native: string) => existsSync(programPath({ native, version }, "postgres"));
  return packagedAt(version).find(hasServer) ?? null;
}

/** Starts an installed Postgres on new files in `dataDir`, with its default planner settings. */
export async function startInstalledPostgres(
  native: string,
  { dataDir, settings }: { dataDir: string; settings: ServerSettings },
): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const placement = await newCluster({ native, version: "installed" }, join(dataDir, "postgres"));
  const listen = await chooseListen(placement, "socket");
  const server = await startServer(placement, {
    listen,
    // An external server has default settings.
    settings: { ...settings, random_page_cost: "4", jit: "on" },
  });
  if (!server) throw new Error(`The Postgres of ${native} could not have its new folder.`);
  return {
    adminUrl: adminAddress(listen),
    async stop() {
      await stopServer(placement);
      await server.exited;
      await forgetListen(listen, placement.folder);
    },
  };
}

async function newCluster(binaries: Binaries, folder: string): Promise<Placement> {
  const placement = { account: await chooseAccount(folder), binaries, folder };
  await mkdir(folder, { mode: 0o700 });
  await giveTo(placement.account, folder);
  const { code, output } = await runProgram(placement, "initdb", [
    `--pgdata=${folder}`,
    "--username=postgres",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--auth=trust",
  ]);
  if (code !== 0) throw new Error(`The Postgres of ${binaries.native} made no database: ${output}`);
  return placement;
}

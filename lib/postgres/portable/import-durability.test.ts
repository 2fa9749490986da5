import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parsePostmasterPid, readPostmasterPid } from "@/lib/storage/embedded/postmaster-pid";
import { startEmbeddedPostgres } from "@/lib/storage/embedded/start-embedded-postgres";
import { connect } from "../connect";
import { migrate } from "../migrate";
import { importLines } from "./import-lines";
import { exportedLines, fullOwner, shownBy, withoutTimes } from "./testing/full-owner";

test("an import that has ended survives a server that is killed", { tags: "long" }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "grove-import-"));
  // Root runs Postgres as another user.
  await chmod(dataDir, 0o755);
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20 }));
  const server = await startEmbeddedPostgres({ dataDir });
  onTestFinished(() => server.stop());
  const sql = connect(server.url, { max: 2 });
  onTestFinished(() => sql.end({ timeout: 1 }));
  await migrate(sql);
  const exported = await exportedLines(sql, await fullOwner(sql));
  const killServer = await serverKiller(join(dataDir, "postgres"));

  await importLines(
    sql,
    (async function* () {
      yield* exported;
    })(),
    { ownerId: "imported" },
  );
  killServer();

  await expect.poll(() => shownBy(sql, "imported").catch(() => null)).toHaveLength(2);
  expect(withoutTimes(await exportedLines(sql, "imported"))).toEqual(withoutTimes(exported));
});

/** Known before, so that the writer of the log, which wakes every 200 ms, hardly gets a chance. */
async function serverKiller(folder: string): Promise<() => void> {
  const { pid } = parsePostmasterPid((await readPostmasterPid(folder)) ?? "") ?? {};
  if (!pid) throw new Error("The server runs nowhere.");
  return () => void process.kill(pid, "SIGKILL");
}

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { connect } from "@/lib/postgres/start";
import { DiskGuard } from "./disk-guard";
import { parsePostmasterPid } from "./postmaster-pid";
import { startEmbeddedPostgres } from "./start-embedded-postgres";
import { canMount, smallDisk } from "./testing/small-disk";

const run = promisify(execFile);

describe.runIf(canMount())("on a full disk", () => {
  test("everything is read, nothing is written, and writing goes on with space", {
    tags: "long",
  }, async () => {
    const { dataDir, fill, clear } = await smallDisk(340);
    const { url, said } = await started(dataDir);
    expect(await ask(url, "create table words as select 'kept' as word")).toBe("done");
    await fill();
    await expect.poll(() => said).toContainEqual(expect.stringContaining(`The disk of ${dataDir}`));
    expect(await ask(url, "insert into words values ('more')")).toMatch(/read-only/);
    expect(await ask(url, "select word from words")).toEqual([{ word: "kept" }]);
    await clear();
    await expect.poll(() => ask(url, "insert into words values ('more')")).toBe("done");
  });

  test("a server that dies starts again, and can be read", { tags: "long" }, async () => {
    const { dataDir, fill } = await smallDisk(340);
    const { url } = await started(dataDir);
    expect(await ask(url, "create table words as select 'kept' as word")).toBe("done");
    await fill();
    process.kill(await serverPid(dataDir), "SIGKILL");
    await expect.poll(() => ask(url, "select word from words")).toEqual([{ word: "kept" }]);
    await expect.poll(() => ask(url, "delete from words where false")).toMatch(/read-only/);
  });

  test("a disk that a busy writer fills ends no server for good", { tags: "long" }, async () => {
    const { dataDir, clear } = await smallDisk(340);
    const { url, said } = await started(dataDir);
    await ask(url, "create table words (word text)");
    const row = "insert into words select md5(n::text) from generate_series(1, 100000) n";
    while ((await ask(url, row)) === "done");
    await expect.poll(() => said).toContainEqual(expect.stringMatching(/is full/));
    await expect.poll(() => ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    await run("mount", ["-o", "remount,size=700m", dataDir]);
    await expect.poll(() => ask(url, "insert into words values ('more')")).toBe("done");
    await clear();
  });
});

test("the disk guard goes on after its disk was away", { tags: "long" }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "grove-away-"));
  const placement = {
    account: null,
    folder: join(dataDir, "postgres"),
    binaries: { native: "", version: "" },
  };
  const adminUrl = "postgres://nobody@127.0.0.1:1/none";
  const guard = new DiskGuard({ placement, adminUrl, log: () => undefined });
  onTestFinished(async () => {
    await guard.stop();
    await rm(dataDir, { recursive: true });
  });
  await guard.watch();
  await rename(dataDir, `${dataDir}-away`);
  await delay(1_500);
  await rm(`${dataDir}-away`, { recursive: true });
  await mkdir(dataDir);
  await expect.poll(() => readdir(dataDir)).toEqual(["disk-reserve"]);
});

async function started(dataDir: string): Promise<{ url: string; said: string[] }> {
  const said: string[] = [];
  const log = (line: string) => void said.push(line);
  const server = await startEmbeddedPostgres({ dataDir, log, guardsDisk: true });
  onTestFinished(() => server.stop());
  return { url: server.url, said };
}

async function serverPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8");
  return parsePostmasterPid(text)?.pid ?? 0;
}

/** Rows, "done" without any, or the reason of a refusal. */
async function ask(url: string, statement: string): Promise<unknown> {
  const sql = connect(url, { max: 1 });
  try {
    const rows = await sql.unsafe(statement);
    return rows.length > 0 ? [...rows] : "done";
  } catch (error) {
    return (error as Error).message;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

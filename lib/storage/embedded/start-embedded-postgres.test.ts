import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { connect } from "@/lib/postgres/start";
import { temporaryDataDir } from "@/lib/postgres/testing/temporary-data-dir";
import { isRoot } from "./account";
import { findBinaries, programPath } from "./binaries";
import type { EmbeddedPostgresError } from "./embedded-postgres-error";
import { takeHold } from "./hold";
import { adminAddress, chooseListen, defaultTransport } from "./listen";
import { placeCluster, reachableBinaries } from "./placement";
import { parsePostmasterPid } from "./postmaster-pid";
import { startServer, stopServer } from "./server";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "./start-embedded-postgres";

let dataDir = "";
let prepared = "";

beforeAll(async () => {
  prepared = await temporaryDataDir();
  await (await startEmbeddedPostgres({ dataDir: prepared })).stop();
});

afterAll(async () => {
  await rm(prepared, { recursive: true, force: true });
});

beforeEach(async () => {
  dataDir = await temporaryFolder(0o711);
});

describe("a data folder", () => {
  test("is created on the first start and found again on the next", { tags: "long" }, async () => {
    const first = await start();
    await write(first.url, "kept");
    await first.stop();

    const second = await start();

    expect(await read(second.url)).toEqual(["kept"]);
    expect(second.url).toBe(first.url);
  });

  test("holds UTF-8 with the same order on every system, and words beside typographic signs", {
    tags: "long",
  }, async () => {
    const { url } = await start();
    const [row] = await ask(
      url,
      `select getdatabaseencoding() as encoding, datlocprovider::text as provider, datlocale as locale,
         to_tsvector('simple', '“Größe”—ja')::text as words
       from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({
      encoding: "UTF8",
      provider: "b",
      locale: "C.UTF-8",
      words: "'größe':1 'ja':2",
    });
  });

  test("of another major version is refused and left as it was", async () => {
    await mkdir(join(dataDir, "postgres"));
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "17\n");

    await expect(start()).rejects.toMatchObject({
      code: "other-version",
      message: expect.stringContaining("made by Postgres 17"),
    });
    expect(await readdir(join(dataDir, "postgres"))).toEqual(["PG_VERSION"]);
  });

  test("with files that are no database is refused and left as it was", {
    tags: "long",
  }, async () => {
    await mkdir(join(dataDir, "postgres"));
    await writeFile(join(dataDir, "postgres", "letter.txt"), "dear");

    await expect(start()).rejects.toMatchObject({ code: "not-a-database" });
    expect(await readdir(join(dataDir, "postgres"))).toEqual(["letter.txt"]);
  });

  test("is cleared of what a start that died while creating it has left", {
    tags: "long",
  }, async () => {
    await mkdir(join(dataDir, "postgres"));
    await mkdir(join(dataDir, "postgres.new-x1y2z3", "base"), { recursive: true });

    await start();

    expect((await readdir(dataDir)).filter((name) => name.includes("new-"))).toEqual([]);
  });

  test("is not in the way of a start that is still creating its own", {
    tags: "long",
  }, async () => {
    await usePreparedFolder();
    const partial = join(dataDir, "postgres.new-x1y2z3");
    const stopped = new AbortController();
    const filling = fill(partial, stopped.signal);

    const { url } = await start();

    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    stopped.abort();
    await filling;
  });

  test("may lie deeper than the name of a socket can be long", { tags: "long" }, async () => {
    const deep = join(dataDir, "a".repeat(60), "ß".repeat(40));
    const first = await start({ dataDir: deep });
    await write(first.url, "deep");
    const socketFolder = new URL(first.url).searchParams.get("host") ?? "";
    await first.stop();

    expect(socketFolder).toMatch(/^\/tmp\/grove-/);
    await expect(stat(socketFolder)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await read((await start({ dataDir: deep })).url)).toEqual(["deep"]);
  });
});

describe("a running server", () => {
  beforeEach(usePreparedFolder);

  test("writes what it acknowledges to the disk, and gives the application no superuser", {
    tags: "long",
  }, async () => {
    const { url } = await start();
    const [row] = await ask(
      url,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync,
         current_setting('listen_addresses') as addresses, usesuper as super
       from pg_user where usename = current_user`,
    );
    expect(row).toEqual({ fsync: "on", sync: "on", addresses: "", super: false });
  });

  test("ends completely, however often it is stopped", { tags: "long" }, async () => {
    const server = await start();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();

    await expect(ask(server.url, "select 1")).rejects.toMatchObject({ code: "ENOENT" });
    expect(await readdir(join(dataDir, "postgres"))).not.toContain("postmaster.pid");
  });

  test("ends even when its folder has been deleted", { tags: "long" }, async () => {
    const server = await start();
    const pid = await serverPid();
    // The server is still writing into it.
    await rm(dataDir, { recursive: true, maxRetries: 20 });

    await server.stop();

    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  test("is started again at the same address when it dies", { tags: "long" }, async () => {
    const restarted = Promise.withResolvers<string>();
    const { url } = await start({ log: restarted.resolve });
    await write(url, "before");

    process.kill(await serverPid(), "SIGKILL");

    expect(await restarted.promise).toMatch(/started again/);
    await expect.poll(() => read(url).catch(() => null)).toEqual(["before"]);
  });

  test("keeps others out after a crash of one of its connections", { tags: "long" }, async () => {
    const server = await start();
    const sql = connect(server.url, { max: 1 });
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    process.kill(backend?.pid ?? 0, "SIGKILL");
    await sql.end({ timeout: 0 });
    await expect
      .poll(() => ask(server.adminUrl, heldLocks).catch(() => null))
      .toEqual([{ locks: 1 }]);

    await expect(start()).rejects.toMatchObject({ code: "in-use" });
  });

  test("asks for its password over TCP", { tags: "long" }, async () => {
    const { url } = await start({ transport: "tcp" });
    const guess = new URL(url);
    guess.password = "guess";

    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    await expect(ask(guess.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });
});

describe("two starts on one folder", () => {
  test("at the same time end with one server and one clear refusal", { tags: "long" }, async () => {
    const starts = await Promise.allSettled([start(), start()]);

    const ends = starts.map((one) => (one.status === "rejected" ? String(one.reason) : "started"));
    expect(ends.sort()).toEqual([expect.stringContaining("already running"), "started"]);
    const refusal = starts.find((one) => one.status === "rejected");
    expect(refusal?.reason).toMatchObject({
      code: "in-use",
      message: expect.stringContaining(`(process ${process.pid})`),
    });
  });

  test("leave one at work that takes its time after its server has started", {
    tags: "long",
  }, async () => {
    await usePreparedFolder();
    const placement = await placeCluster({ dataDir, log: () => undefined });
    const listen = await chooseListen(placement, defaultTransport);
    const server = await startServer(placement, { listen, settings: {} });
    onTestFinished(() => stopServer(placement));

    const second = start().then(
      () => "started",
      (error: EmbeddedPostgresError) => error.code,
    );
    await delay(3_000);
    const hold = await takeHold(adminAddress(listen), placement.folder);

    expect(await second).toBe("in-use");
    expect(server?.hasExited()).toBe(false);
    await hold.release();
  });

  test("leave the first one at work", { tags: "long" }, async () => {
    await usePreparedFolder();
    const first = await start();
    await expect(start()).rejects.toMatchObject({ code: "in-use" });
    expect(await ask(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("what a kill leaves behind", () => {
  beforeEach(usePreparedFolder);

  test("a server without its Grove is replaced, with every acknowledged row", {
    tags: "long",
  }, async () => {
    const { child, url } = await startElsewhere();
    await write(url, "acknowledged");
    const orphan = await serverPid();
    child.kill("SIGKILL");
    await once(child, "exit");

    const { url: again } = await start();

    expect(await read(again)).toEqual(["acknowledged"]);
    expect(await serverPid()).not.toBe(orphan);
  });

  test("a postmaster.pid whose number now belongs to another program is seen through", {
    tags: "long",
  }, async () => {
    const stranger = await startStranger();
    await writePidFile(
      `${stranger}\n${dataDir}/postgres\n1700000000\n5432\n${dataDir}/postgres\n\n`,
    );

    expect(await ask((await start()).url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test.each(["", "1234"])(
    "a postmaster.pid cut off at %j is seen through",
    { tags: "long" },
    async (text) => {
      await writePidFile(text);

      expect(await ask((await start()).url, "select 1 as one")).toEqual([{ one: 1 }]);
    },
  );
});

describe.runIf(isRoot())("as root", () => {
  test("the server runs as somebody else", { tags: "long" }, async () => {
    await start();
    expect((await stat(`/proc/${await serverPid()}`)).uid).not.toBe(0);
  });

  test("a folder that the other account cannot enter is refused with a way out", async () => {
    await chmod(dataDir, 0o700);
    await expect(start()).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("Set GROVE_DATA_DIR"),
    });
  });

  test("or replaced by the fallback folder, and found there through a link", {
    tags: "long",
  }, async () => {
    await chmod(dataDir, 0o700);
    const fallbackDir = await temporaryFolder(0o711);
    const lines: string[] = [];
    const first = await start({ fallbackDir, log: (line) => lines.push(line) });
    await write(first.url, "elsewhere");
    await first.stop();

    expect(lines).toEqual([expect.stringContaining(`kept in ${fallbackDir}/postgres`)]);
    expect(await read((await start()).url)).toEqual(["elsewhere"]);
  });

  test("programs that the other account cannot reach are copied once", {
    tags: "long",
  }, async () => {
    const account = { name: "nobody", uid: 65534, gid: 65534 };
    const found = await findBinaries();
    const hidden = { ...found, native: join(await temporaryFolder(0o700), "native") };
    await cp(found.native, hidden.native, { recursive: true, verbatimSymlinks: true });

    const [copy, raced] = await Promise.all([
      reachableBinaries(hidden, account, dataDir),
      reachableBinaries(hidden, account, dataDir),
    ]);
    const again = await reachableBinaries(hidden, account, dataDir);

    expect(copy.native).toBe(join(dataDir, `postgres-${found.version}`));
    expect([raced, again]).toEqual([copy, copy]);
    expect(await readdir(dataDir)).toEqual([`postgres-${found.version}`]);
    expect((await stat(programPath(copy, "postgres"))).mode & 0o111).toBe(0o111);
  });
});

const heldLocks =
  "select count(*)::int as locks from pg_locks where locktype = 'advisory' and granted";

/** Saves the second that creating a database takes. */
async function usePreparedFolder(): Promise<void> {
  await promisify(execFile)("cp", ["-a", `${prepared}/.`, dataDir]);
}

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, ...options });
  onTestFinished(() => server.stop());
  return server;
}

/** A Grove in another process, which can be killed without its server. */
async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL("testing/start-and-wait.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  return { child, url: chunk.toString("utf8").trim() };
}

/** A program of the database's account, which a server takes for a postmaster. */
async function startStranger(): Promise<number> {
  const { uid, gid } = await stat(join(dataDir, "postgres"));
  const child = spawn("sleep", ["600"], { uid, gid, cwd: "/", stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  return child.pid ?? 0;
}

async function writePidFile(text: string): Promise<void> {
  const folder = join(dataDir, "postgres");
  const { uid, gid } = await stat(folder);
  await writeFile(join(folder, "postmaster.pid"), text, { mode: 0o600 });
  await chown(join(folder, "postmaster.pid"), uid, gid);
}

async function serverPid(): Promise<number> {
  const text = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8");
  return parsePostmasterPid(text)?.pid ?? 0;
}

async function temporaryFolder(mode: number): Promise<string> {
  const folder = await temporaryDataDir();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, mode);
  return folder;
}

async function write(url: string, word: string): Promise<void> {
  await ask(url, "create table if not exists words (word text)");
  await ask(url, `insert into words values ('${word}')`);
}

async function read(url: string): Promise<unknown[]> {
  return (await ask(url, "select word from words")).map(({ word }) => word);
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const sql = connect(url, { max: 1, onnotice: () => undefined });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function fill(folder: string, stopped: AbortSignal): Promise<void> {
  for (let n = 0; !stopped.aborted; n++) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${n}`), "").catch(() => undefined);
  }
}

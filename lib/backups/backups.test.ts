import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "grove-session/postgres";
import { MigrationError } from "grove-session/postgres";
import { beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { S3Server, testCredentials } from "@/lib/s3/testing/s3-server";
import {
  claimBackup,
  endBackup,
  latestAttempt,
  renewBackup,
} from "@/lib/storage/backup/backup-attempts";
import { openBackupFile } from "@/lib/storage/backup/backup-file";
import { BackupError } from "@/lib/storage/backup/backup-format";
import { type BackupPlace, backupName, folderPlace, readBackupName } from "./backup-place";
import { type BackupSettings, readBackupSettings } from "./backup-settings";
import { Backups, nextBackupAt } from "./backups";
import { backupBeforeUpgrade } from "./take-backup";

let database: TestDatabase;
let folder: string;
const root = process.cwd();
const hourMs = 3_600_000;

beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "grove-backups-"));
  return async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
});

function backupsIn(
  settings: BackupSettings | BackupError,
  {
    signal = new AbortController().signal,
    sql = database.sql,
  }: { signal?: AbortSignal; sql?: Sql } = {},
): Backups {
  const source = { databaseUrl: database.url, root, groveVersion: "0.1.0" };
  return new Backups({
    ...source,
    sql,
    settings: async () => settings,
    signal,
    onError: () => undefined,
  });
}

const daily = (place: BackupPlace = folderPlace(folder)) => ({
  place,
  everyMs: 24 * hourMs,
  keep: 2,
});
const namesOf = async (place: BackupPlace) => (await place.list()).map(({ name }) => name);

/** As if the last one, good or bad, had been made this long ago. */
const letPass = (ms: number) => database.sql`
  update bookkeeping.backup_attempt set succeeded_at = succeeded_at - ${ms} * interval '1 ms',
    failed_at = failed_at - ${ms} * interval '1 ms'`;

describe("Scheduled backups", () => {
  test("are made when due, and not before", { tags: "long" }, async () => {
    const backups = backupsIn(daily());
    await backups.takeDue();
    await backups.takeDue();
    expect((await backups.state()).backups).toMatchObject([{ kind: "scheduled" }]);
    await letPass(23 * hourMs);
    await backups.takeDue();
    expect((await backups.state()).backups).toHaveLength(1);
    await letPass(hourMs);
    await backups.takeDue();
    expect((await backups.state()).backups).toHaveLength(2);
  });

  test("keep the newest, and every manual one", { tags: "long" }, async () => {
    const place = folderPlace(folder);
    const manual = backupName("manual", new Date(0));
    await writeFile(join(folder, manual), "");
    const backups = backupsIn(daily(place));
    const made: string[] = [];
    for (let n = 0; n < 4; n++) {
      await backups.takeDue();
      made.push((await namesOf(place))[0] ?? "");
      await letPass(24 * hourMs);
    }
    expect(await namesOf(place)).toEqual([made[3], made[2], manual]);
  });

  test("keep the one just made, also after a clock that was ahead", { tags: "long" }, async () => {
    const place = folderPlace(folder);
    const ahead = [1, 2, 3].map((n) =>
      backupName("scheduled", new Date(Date.now() + n * 24 * hourMs)),
    );
    for (const name of ahead) await writeFile(join(folder, name), "");
    await backupsIn(daily(place)).takeDue();
    const kept = await namesOf(place);
    expect(kept).toEqual([ahead[2], expect.not.stringMatching(ahead.join("|"))]);
  });

  test("are made by one process at a time", { tags: "long" }, async () => {
    const backups = Array.from({ length: 6 }, () => backupsIn(daily()));
    await Promise.all(backups.map((each) => each.takeDue()));
    expect(await namesOf(folderPlace(folder))).toHaveLength(1);
  });

  test("go on after a process that died during one", { tags: "long" }, async () => {
    await database.sql`
      insert into bookkeeping.backup_attempt (id, started_at, lease_until) values (1, now(), now() + interval '1 minute')`;
    const backups = backupsIn(daily());
    await backups.takeDue();
    expect(await namesOf(folderPlace(folder))).toEqual([]);
    expect((await backups.state()).runningSince).toBeInstanceOf(Date);
    await database.sql`update bookkeeping.backup_attempt set lease_until = now() - interval '1 ms'`;
    await backups.takeDue();
    expect(await namesOf(folderPlace(folder))).toHaveLength(1);
  });

  test("of a process that lost its claim to another leave that claim alone", async () => {
    const { sql } = database;
    const claim = async () => (await claimBackup(sql, { leaseMs: 60_000 })) ?? "";
    const late = await claim();
    await sql`update bookkeeping.backup_attempt set lease_until = now() - interval '1 ms'`;
    const current = await claim();
    await renewBackup(sql, late, 3_600_000);
    await endBackup(sql, late, { failure: "It was late." });
    expect(await latestAttempt(sql)).toMatchObject({
      runningSince: new Date(current),
      failure: null,
    });
    expect(await claimBackup(sql, { leaseMs: 60_000 })).toBeNull();
  });

  test("that fail say why, and are tried again within the hour", { tags: "long" }, async () => {
    const closed = join(folder, "file");
    await writeFile(closed, "");
    const backups = backupsIn(daily(folderPlace(join(closed, "backups"))));
    await backups.takeDue();
    const { failure, nextAt, backups: stored } = await backups.state();
    expect(failure?.message).toMatch(/There is no .*Check the path/);
    expect((nextAt?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(hourMs);
    expect(stored).toEqual([]);
    await rm(closed);
    await letPass(hourMs);
    await backups.takeDue();
    expect(await backups.state()).toMatchObject({
      failure: null,
      backups: [{ kind: "scheduled" }],
    });
  });

  test("that a shutdown ends are due again at once", { tags: "long" }, async () => {
    const stopped = backupsIn(daily(), { signal: AbortSignal.abort(new Error("Stopped.")) });
    await stopped.takeDue();
    expect(await stopped.state()).toMatchObject({ failure: null, succeededAt: null, backups: [] });
    const backups = backupsIn(daily());
    await backups.takeDue();
    expect((await backups.state()).backups).toHaveLength(1);
  });
});

test("A backup on demand runs in the background, one at a time", { tags: "long" }, async () => {
  const backups = backupsIn({ ...daily(), everyMs: null });
  const started = await Promise.all([backups.start(), backups.start()]);
  expect(started.toSorted()).toEqual([false, true]);
  await expect.poll(async () => (await backups.state()).runningSince).toBeNull();
  expect(await backups.state()).toMatchObject({ nextAt: null, backups: [{ kind: "manual" }] });
});

test("Invalid settings are a problem to show, and refuse a backup with it", async () => {
  const backups = backupsIn(new BackupError("GROVE_BACKUP_KEEP must be a number."));
  await backups.takeDue();
  expect(await backups.state()).toMatchObject({
    place: null,
    problem: "GROVE_BACKUP_KEEP must be a number.",
  });
  await expect(backups.start()).rejects.toThrow("GROVE_BACKUP_KEEP");
});

describe("A backup before an upgrade", () => {
  const source = () => ({ databaseUrl: database.url, root, groveVersion: "0.1.0" });

  test("is kept in the data folder, the newest three of them", { tags: "long" }, async () => {
    const back = backupBeforeUpgrade(source(), { environment: {}, dataDir: folder });
    for (let n = 0; n < 5; n++) await back?.();
    const kinds = (await folderPlace(join(folder, "backups")).list()).map(({ kind }) => kind);
    expect(kinds).toEqual(["before-upgrade", "before-upgrade", "before-upgrade"]);
  });

  test("that cannot be written refuses the upgrade, and a variable overrides that", async () => {
    const dataDir = join(folder, "file");
    await writeFile(dataDir, "");
    const back = backupBeforeUpgrade(source(), { environment: {}, dataDir });
    const error: unknown = await back?.().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(MigrationError);
    expect(String(error)).toMatch(/not upgraded.*Check the path.*GROVE_UPGRADE_WITHOUT_BACKUP=1/);
    const environment = { GROVE_UPGRADE_WITHOUT_BACKUP: "1" };
    expect(backupBeforeUpgrade(source(), { environment, dataDir })).toBeUndefined();
  });
});

describe("A folder of backups", () => {
  test("is for its owner alone, and lists no other file", async () => {
    const place = folderPlace(join(folder, "new"));
    expect(await place.list()).toEqual([]);
    const name = backupName("manual", new Date());
    await place.store(name, (path) => writeFile(path, "x"));
    await writeFile(join(folder, "new/notes.zip"), "");
    expect(await namesOf(place)).toEqual([name]);
  });

  test("loses what a killed backup left, a day later", async () => {
    const left = join(folder, `${backupName("scheduled", new Date(0))}.partial`);
    await writeFile(left, "half");
    await folderPlace(folder).store("a", async () => undefined);
    expect(await readdir(folder)).toHaveLength(1);
    await utimes(left, 0, 0);
    await folderPlace(folder).store("a", async () => undefined);
    expect(await readdir(folder)).toEqual([]);
  });

  test("reads the name that it writes", () => {
    const madeAt = new Date("2026-03-04T05:06:07.089Z");
    const name = backupName("before-upgrade", madeAt);
    expect(name).toBe("grove-before-upgrade-20260304T050607089Z.zip");
    expect(readBackupName(name)).toEqual({ kind: "before-upgrade", madeAt });
    expect(readBackupName("grove-manual-20269904T050607089Z.zip")).toBeNull();
  });
});

describe("A bucket of backups", () => {
  let server: S3Server;
  let place: BackupPlace;

  beforeEach(async () => {
    server = await S3Server.start("safe");
    const environment = {
      GROVE_BACKUP_S3_ENDPOINT: server.endpoint,
      GROVE_BACKUP_S3_REGION: "auto",
      GROVE_BACKUP_S3_BUCKET: "safe",
      GROVE_BACKUP_S3_PREFIX: "grove/",
      GROVE_BACKUP_S3_ACCESS_KEY_ID: testCredentials.accessKeyId,
      GROVE_BACKUP_S3_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
    };
    ({ place } = readBackupSettings(environment, { dataDir: folder }));
    return () => server.stop();
  });

  const madeAt = (name: string) =>
    place.open(name, async (path) => {
      const file = await openBackupFile(path);
      await file.close();
      return Date.parse(file.manifest.madeAt);
    });

  test("stores, lists, returns and deletes them", { tags: "long" }, async () => {
    const backups = backupsIn(daily(place));
    await backups.takeDue();
    const [stored] = (await backups.state()).backups;
    expect(await madeAt(stored?.name ?? "")).toBeGreaterThan(Date.now() - hourMs);
    expect(await readdir(join(folder, "backups"))).toEqual([]);
    expect(server.uploads.size).toBe(0);
    await place.delete(stored?.name ?? "");
    expect(await place.list()).toEqual([]);
    await expect(place.open("none.zip", readFile)).rejects.toThrow(/holds no none\.zip/);
    server.behaviour = "broken";
    await letPass(24 * hourMs);
    await backups.takeDue();
    const { failure, problem } = await backups.state();
    expect(failure?.message).toMatch(/Bucket “safe” at .* answered with an error \(500/);
    expect(problem).toMatch(/Bucket “safe”/);
  });

  test("sends and receives again what the service breaks off", { tags: "long" }, async () => {
    server.behaviour = "unstable";
    await backupsIn(daily(place)).takeDue();
    const [stored] = await place.list();
    expect(await madeAt(stored?.name ?? "")).toBeGreaterThan(Date.now() - hourMs);
  });

  test("notices one that the service accepted and did not keep", { tags: "long" }, async () => {
    server.behaviour = "forgetful";
    const backups = backupsIn(daily(place));
    await backups.takeDue();
    const { failure, backups: stored } = await backups.state();
    expect(failure?.message).toMatch(/did not keep grove\/grove-scheduled-.* whole/);
    expect(stored).toEqual([]);
  });

  test("that may not be deleted from takes new ones all the same", { tags: "long" }, async () => {
    server.behaviour = "no-deletes";
    const backups = backupsIn({ ...daily(place), keep: 1 });
    for (let n = 0; n < 2; n++) {
      await letPass(24 * hourMs);
      await backups.takeDue();
    }
    expect(await backups.state()).toMatchObject({ failure: null, backups: [{}, {}] });
  });

  test("finds them beside a thousand other objects, and loses what a killed one left", {
    tags: "long",
  }, async () => {
    for (let n = 0; n < 1_200; n++) server.put(`grove/a-${n}`, "");
    const left = join(folder, "backups/backup-killed");
    await mkdir(left, { recursive: true });
    await writeFile(join(left, "half.zip"), "half");
    await utimes(left, 0, 0);
    await backupsIn(daily(place)).takeDue();
    expect(await place.list()).toHaveLength(1);
    expect(await readdir(join(folder, "backups"))).toEqual([]);
  });
});

describe("readBackupSettings", () => {
  const read = (environment: Record<string, string>) =>
    readBackupSettings(environment, { dataDir: folder });

  test.each([
    ["30m", 1_800_000],
    ["12 h", 12 * hourMs],
    ["7d", 7 * 24 * hourMs],
    ["00030m", 1_800_000],
    ["0", null],
    ["", null],
  ])("reads the schedule %j", (every, everyMs) => {
    expect(read({ GROVE_BACKUP_EVERY: every }).everyMs).toBe(everyMs);
  });

  test.each(["5.0", "5", " 5 "])("keeps as many as the setting %j allows", (keep) => {
    expect(read({ GROVE_BACKUP_KEEP: keep }).keep).toBe(5);
  });

  test("is a folder in the data folder, unless another place is set", () => {
    expect(read({}).place.title).toBe(join(folder, "backups"));
    expect(read({ GROVE_BACKUP_DIR: "/srv/backups" }).place.title).toBe("/srv/backups");
  });

  test.each([
    [{ GROVE_BACKUP_EVERY: "daily" }, "GROVE_BACKUP_EVERY must be a time such as 30m"],
    [{ GROVE_BACKUP_EVERY: "0d" }, "GROVE_BACKUP_EVERY must be a time"],
    [{ GROVE_BACKUP_KEEP: "0" }, "GROVE_BACKUP_KEEP must be a number from 1"],
    [{ GROVE_BACKUP_S3_BUCKET: "b" }, "GROVE_BACKUP_S3_ACCESS_KEY_ID is not set"],
    [{ GROVE_BACKUP_S3_BUCKET: "b", GROVE_BACKUP_DIR: "/a" }, "not both"],
  ])("refuses %j", (environment, message) => {
    expect(() => read(environment)).toThrow(message);
  });
});

test("The next backup is one period after the last, and sooner after a failure", () => {
  const at = (ms: number) => new Date(ms);
  const every = 24 * hourMs;
  expect(nextBackupAt({ succeededAt: null, failedAt: null }, every)).toEqual(at(0));
  expect(nextBackupAt({ succeededAt: at(5), failedAt: null }, every)).toEqual(at(5 + every));
  expect(nextBackupAt({ succeededAt: at(0), failedAt: at(every) }, every)).toEqual(
    at(every + hourMs),
  );
});

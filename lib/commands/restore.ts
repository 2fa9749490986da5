import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "grove-session/postgres";
import type { BackupPlace } from "@/lib/backups/backup-place";
import { dataFolderPlace, readBackupSettings } from "@/lib/backups/backup-settings";
import { takeBackup } from "@/lib/backups/take-backup";
import { untouchedExample } from "@/lib/chat/data/example/make-example";
import { openBackupFile } from "@/lib/storage/backup/backup-file";
import { restoreBackup } from "@/lib/storage/backup/restore-backup";
import packageJson from "@/package.json" with { type: "json" };
import { bucketReport, filesOf } from "./files-elsewhere";
import { databaseTitle, openDatabase } from "./open-database";
import { runCommand } from "./run-command";
import {
  appFolder,
  type Environment,
  loadEnvironment,
  readStartSettings,
  StartError,
  type StartSettings,
} from "./start-settings";

const root = process.cwd();
const usage =
  "npm run restore -- FILE restores a backup: a path, a name of the list, or latest. Add --verify to only read and check it, --replace to replace a database that holds data.";

interface Choice {
  environment: Environment;
  settings: StartSettings;
  verify: boolean;
  replace: boolean;
}

await runCommand(async (signal) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: "boolean" }, verify: { type: "boolean" } },
  });
  const environment = loadEnvironment(root, process.env);
  const read = readStartSettings(environment, { projectDir: root });
  if (!read.ok) throw new StartError(read.problems.join("\n"));
  const { settings } = read;
  const [wanted, ...more] = positionals;
  if (more.length > 0) throw new StartError(usage);
  if (!wanted) return listBackups(placeOf(environment, settings));
  const choice = {
    environment,
    settings,
    replace: values.replace === true,
    verify: values.verify === true,
  };
  if (existsSync(wanted)) return restoreFrom(resolve(wanted), choice, signal);
  const place = placeOf(environment, settings);
  const name = await nameIn(place, wanted);
  await place.open(name, (path) => restoreFrom(path, choice, signal), signal);
});

function placeOf(environment: Environment, { dataDir }: StartSettings): BackupPlace {
  return readBackupSettings(environment, { dataDir }).place;
}

async function listBackups(place: BackupPlace): Promise<void> {
  const stored = await place.list();
  console.info(`Backups in ${place.title}: ${stored.length}`);
  for (const { name, bytes } of stored) console.info(`  ${name}  ${megabytes(bytes)}`);
  console.info(usage);
}

async function nameIn(place: BackupPlace, wanted: string): Promise<string> {
  const stored = await place.list();
  // The latest backup may hold the data that an earlier restore replaced.
  const found = stored.find(({ name, kind }) =>
    wanted === "latest" ? kind !== "before-restore" : name === wanted,
  );
  if (found) return found.name;
  throw new StartError(
    `There is no ${wanted === "latest" ? "backup" : `file ${wanted}, nor a backup of this name`} in ${place.title}.`,
  );
}

async function restoreFrom(
  path: string,
  { environment, settings, verify, replace }: Choice,
  signal: AbortSignal,
): Promise<void> {
  const file = await openBackupFile(path, { signal });
  const { madeAt, groveVersion, tables } = file.manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString("en");
  console.info(`${path} is whole: ${rows} rows of ${madeAt}, made by Grove ${groveVersion}.`);
  const { elsewhere } = file.manifest;
  if (verify && elsewhere && elsewhere.files > 0) {
    console.info(`It does not hold the bytes of ${filesOf(elsewhere)}, which are in a bucket.`);
  }
  if (verify) return file.close();
  const database = await openDatabase(settings, (line) => console.info(line));
  const sql = connect(database.url, { max: 1 });
  const source = { databaseUrl: database.url, root: appFolder, groveVersion: packageJson.version };
  const kept = dataFolderPlace(settings.dataDir);
  try {
    console.info(`Restoring into ${databaseTitle(settings)}…`);
    await restoreBackup(sql, file, {
      root: appFolder,
      replace,
      example: untouchedExample,
      signal,
      async beforeReplace() {
        const options = { place: kept, kind: "before-restore", signal } as const;
        const { name } = await takeBackup(source, options);
        console.info(`The data that is replaced is kept in ${join(kept.title, name)}.`);
      },
    });
    const report = await bucketReport(sql, environment);
    if (report !== null) console.info(report);
    console.info(
      "Restored. Provider keys work again with the secrets.key they were encrypted with; otherwise enter them again.",
    );
  } finally {
    await sql.end({ timeout: 1 });
    await database.stop();
    await file.close();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

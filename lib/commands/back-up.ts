import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { folderPlace } from "@/lib/backups/backup-place";
import { readBackupSettings } from "@/lib/backups/backup-settings";
import { takeBackup } from "@/lib/backups/take-backup";
import packageJson from "@/package.json" with { type: "json" };
import { filesOf } from "./files-elsewhere";
import { databaseTitle, openOrJoinDatabase } from "./open-database";
import { runCommand } from "./run-command";
import { appFolder, loadEnvironment, readStartSettings, StartError } from "./start-settings";

const root = process.cwd();

await runCommand(async (signal) => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const environment = loadEnvironment(root, process.env);
  const read = readStartSettings(environment, { projectDir: root });
  if (!read.ok) throw new StartError(read.problems.join("\n"));
  const { dataDir } = read.settings;
  const [folder, ...more] = positionals;
  if (more.length > 0) throw new StartError("npm run backup takes one folder.");
  const place = folder
    ? folderPlace(resolve(folder))
    : readBackupSettings(environment, { dataDir }).place;
  const database = await openOrJoinDatabase(read.settings, (line) => console.info(line));
  try {
    const source = {
      databaseUrl: database.url,
      root: appFolder,
      groveVersion: packageJson.version,
    };
    const { name, rows, bytes, elsewhere } = await takeBackup(source, {
      place,
      kind: "manual",
      signal,
    });
    const size = `${rows.toLocaleString("en")} rows, ${(bytes / 1e6).toFixed(1)} MB`;
    console.info(
      `Backed up ${databaseTitle(read.settings)} to ${name} (${size}) in ${place.title}.`,
    );
    if (elsewhere.files > 0) {
      console.info(
        `It does not hold the bytes of ${filesOf(elsewhere)}, which are in the bucket of GROVE_FILES_S3_…: back that up, too.`,
      );
    }
    const key = environment.SECRETS_KEY_FILE || join(dataDir, "secrets.key");
    console.info(
      `It holds all chats, readable by anyone who has it. Provider keys are in it encrypted; the key that opens them, ${key}, is not.`,
    );
  } finally {
    await database.stop();
  }
});

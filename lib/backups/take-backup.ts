import type { ConnectOptions } from "grove-session/postgres";
import { connect, MigrationError } from "grove-session/postgres";
import { BackupError } from "@/lib/storage/backup/backup-format";
import { writeBackup } from "@/lib/storage/backup/write-backup";
import {
  type BackupKind,
  type BackupPlace,
  backupName,
  deleteOldBackups,
  type StoredBackup,
} from "./backup-place";
import { dataFolderPlace } from "./backup-settings";

export interface BackupSource {
  readonly databaseUrl: string;
  readonly root: string;
  readonly groveVersion: string;
}

export interface TakeOptions {
  readonly place: BackupPlace;
  readonly kind: BackupKind;
  readonly signal?: AbortSignal | undefined;
}

export interface TakenBackup extends StoredBackup {
  readonly rows: number;
  readonly elsewhere: { readonly files: number; readonly bytes: number };
}

/** Statements of a backup have no time limit. */
const patient: ConnectOptions = { max: 1, connect_timeout: 10 };

export async function takeBackup(
  { databaseUrl, root, groveVersion }: BackupSource,
  { place, kind, signal }: TakeOptions,
): Promise<TakenBackup> {
  const sql = connect(databaseUrl, patient);
  const madeAt = new Date();
  const name = backupName(kind, madeAt);
  try {
    const { manifest, bytes } = await place.store(
      name,
      (path) => writeBackup(sql, { path, root, groveVersion, signal }),
      signal,
    );
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const elsewhere = manifest.elsewhere ?? { files: 0, bytes: 0 };
    return { name, kind, madeAt, bytes, rows, elsewhere };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const upgradesKept = 3;

export interface UpgradeOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly dataDir: string;
  readonly say?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A failing backup throws `MigrationError`, so that nothing is upgraded without one. The data folder keeps the newest
 * three.
 */
export function backupBeforeUpgrade(
  source: BackupSource,
  { environment, dataDir, say = () => undefined, signal }: UpgradeOptions,
): (() => Promise<void>) | undefined {
  if (environment.GROVE_UPGRADE_WITHOUT_BACKUP === "1") return undefined;
  return async () => {
    say("Backing up before the upgrade…");
    const place = dataFolderPlace(dataDir);
    try {
      const made = await takeBackup(source, { place, kind: "before-upgrade", signal });
      say(`Backed up to ${made.name} in ${place.title}.`);
      await deleteOldBackups(place, { made, keep: upgradesKept });
    } catch (cause) {
      if (!(cause instanceof BackupError)) throw cause;
      throw new MigrationError(
        `The database is not upgraded, because it could not be backed up first: ${cause.message} To upgrade without a backup, start once with GROVE_UPGRADE_WITHOUT_BACKUP=1.`,
        { cause },
      );
    }
  };
}

import { join, resolve } from "node:path";
import { BackupError } from "@/lib/storage/backup/backup-format";
import { type BackupPlace, bucketPlace, folderPlace } from "./backup-place";

type Environment = Readonly<Record<string, string | undefined>>;

export interface BackupSettings {
  readonly place: BackupPlace;
  readonly everyMs: number | null;
  readonly keep: number;
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const defaultKeep = 7;

export function readBackupSettings(
  environment: Environment,
  { dataDir }: { dataDir: string },
): BackupSettings {
  const set = (name: string) => environment[`GROVE_BACKUP_${name}`]?.trim() || undefined;
  return {
    place: readPlace(set, dataDir),
    everyMs: readEvery(set("EVERY")),
    keep: readKeep(set("KEEP")),
  };
}

export function dataFolderPlace(dataDir: string): BackupPlace {
  return folderPlace(join(resolve(dataDir), "backups"));
}

function readPlace(set: (name: string) => string | undefined, dataDir: string): BackupPlace {
  const folder = set("DIR");
  const bucket = set("S3_BUCKET");
  if (folder && bucket) {
    throw new BackupError("Set GROVE_BACKUP_DIR or GROVE_BACKUP_S3_BUCKET, not both.");
  }
  if (folder) return folderPlace(resolve(folder));
  if (!bucket) return dataFolderPlace(dataDir);
  return bucketPlace({
    bucket,
    endpoint: set("S3_ENDPOINT"),
    region: set("S3_REGION"),
    prefix: set("S3_PREFIX"),
    accessKeyId: required(set, "S3_ACCESS_KEY_ID"),
    secretAccessKey: required(set, "S3_SECRET_ACCESS_KEY"),
    temporaryFolder: join(resolve(dataDir), "backups"),
  });
}

function required(set: (name: string) => string | undefined, name: string): string {
  const value = set(name);
  if (!value) throw new BackupError(`GROVE_BACKUP_${name} is not set.`);
  return value;
}

function readEvery(text: string | undefined): number | null {
  if (text === undefined || text === "0") return null;
  const [, count, unit] = /^0*(\d{1,4})\s*([mhd])$/.exec(text) ?? [];
  const everyMs = Number(count) * (units[unit as keyof typeof units] ?? Number.NaN);
  if (everyMs > 0) return everyMs;
  throw new BackupError(`GROVE_BACKUP_EVERY must be a time such as 30m, 12h or 1d, not “${text}”.`);
}

function readKeep(text: string | undefined): number {
  if (text === undefined) return defaultKeep;
  const keep = Number(text);
  if (Number.isInteger(keep) && keep >= 1 && keep <= 9_999) return keep;
  throw new BackupError(`GROVE_BACKUP_KEEP must be a number from 1 to 9999, not “${text}”.`);
}

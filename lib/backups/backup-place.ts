import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Bucket, type BucketSettings } from "@/lib/s3/bucket";
import { BackupError } from "@/lib/storage/backup/backup-format";
import { fileFailure } from "@/lib/storage/backup/file-failure";

/** Newer backups replace only `scheduled` and `before-upgrade` ones. */
export type BackupKind = "manual" | "scheduled" | "before-upgrade" | "before-restore";

export interface StoredBackup {
  readonly name: string;
  readonly kind: BackupKind;
  readonly madeAt: Date;
  readonly bytes: number;
}

export interface BackupPlace {
  readonly title: string;
  list(): Promise<StoredBackup[]>;
  store<Result>(
    name: string,
    write: (path: string) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  open<Result>(
    name: string,
    read: (path: string) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  delete(name: string): Promise<void>;
}

const namePattern =
  /^grove-(manual|scheduled|before-upgrade|before-restore)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.zip$/;

export function backupName(kind: BackupKind, madeAt: Date): string {
  return `grove-${kind}-${madeAt.toISOString().replace(/[-:.]/g, "")}.zip`;
}

export function readBackupName(name: string): Pick<StoredBackup, "kind" | "madeAt"> | null {
  const [, kind, year, month, day, hour, minute, second, ms] = namePattern.exec(name) ?? [];
  if (!kind) return null;
  const madeAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return Number.isNaN(madeAt.getTime()) ? null : { kind: kind as BackupKind, madeAt };
}

/** Keeps `made` even after a clock that was ahead. */
export async function deleteOldBackups(
  place: BackupPlace,
  { made, keep }: { made: StoredBackup; keep: number },
): Promise<void> {
  const others = (await place.list()).filter(
    ({ kind, name }) => kind === made.kind && name !== made.name,
  );
  for (const { name } of others.slice(keep - 1)) await place.delete(name);
}

/** The folder is for its owner alone. */
export function folderPlace(folder: string): BackupPlace {
  const at = (name: string) => join(folder, name);
  return {
    title: folder,

    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw fileFailure(error, at("."));
      });
      const found = await Promise.all(
        names.map(async (name) => {
          const read = readBackupName(name);
          const file = read && (await stat(at(name)).catch(() => null));
          return read && file ? { name, ...read, bytes: file.size } : [];
        }),
      );
      return newestFirst(found.flat());
    },

    async store(name, write) {
      const path = at(name);
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw fileFailure(error, path);
      });
      await removeLeftOver(folder);
      return write(path);
    },

    open: (name, read) => read(at(name)),

    async delete(name) {
      await rm(at(name), { force: true }).catch((error: unknown) => {
        throw fileFailure(error, at(name));
      });
    },
  };
}

const temporaryPrefix = "backup-";

/** A killed process leaves partial files; a backup takes less than a day. */
async function removeLeftOver(folder: string): Promise<void> {
  const dayAgo = Date.now() - 86_400_000;
  for (const name of await readdir(folder)) {
    const [whole = "", partial] = name.split(/(\.partial)$/);
    const isOurs = partial ? readBackupName(whole) !== null : name.startsWith(temporaryPrefix);
    const found = isOurs && (await stat(join(folder, name)).catch(() => null));
    if (found && found.mtimeMs < dayAgo)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

export interface BucketPlaceOptions extends BucketSettings {
  readonly prefix?: string | undefined;
  readonly temporaryFolder: string;
}

const partTimeoutMs = 120_000;
const mostListed = 20_000;

export function bucketPlace({
  prefix = "",
  temporaryFolder,
  ...settings
}: BucketPlaceOptions): BackupPlace {
  const bucket = new Bucket({ timeoutMs: partTimeoutMs, ...settings }, BackupError);
  const temporary = async <Result>(work: (path: string) => Promise<Result>, name: string) => {
    const folder = await makeTemporary(temporaryFolder);
    return work(join(/* turbopackIgnore: true */ folder, name)).finally(() =>
      rm(folder, { recursive: true, force: true }),
    );
  };
  return {
    title: prefix ? `${bucket.title}, under ${prefix}` : bucket.title,

    async list() {
      const objects = await bucket.list(`${prefix}grove-`, mostListed);
      return newestFirst(
        objects.flatMap(({ name: key, size: bytes }) => {
          const name = key.slice(prefix.length);
          const read = readBackupName(name);
          return read ? { name, ...read, bytes } : [];
        }),
      );
    },

    store: (name, write, signal) =>
      temporary(async (path) => {
        const result = await write(path);
        await bucket.upload(prefix + name, path, { type: "application/zip", signal });
        return result;
      }, name),

    open: (name, read, signal) =>
      temporary(async (path) => {
        if (await bucket.download(prefix + name, path, { signal })) return read(path);
        throw new BackupError(`${bucket.title} holds no ${name}.`);
      }, name),

    delete: async (name) => void (await bucket.delete(prefix + name)),
  };
}

async function makeTemporary(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeLeftOver(folder);
    return await mkdtemp(join(folder, temporaryPrefix));
  } catch (error) {
    throw fileFailure(error, folder);
  }
}

function newestFirst(backups: StoredBackup[]): StoredBackup[] {
  return backups.toSorted(
    (one, other) =>
      other.madeAt.getTime() - one.madeAt.getTime() || one.name.localeCompare(other.name),
  );
}

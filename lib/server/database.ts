import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { connect, migrate, Notifications } from "grove-session/postgres";
import { type BackupSource, backupBeforeUpgrade } from "@/lib/backups/take-backup";
import { latestAttempt } from "@/lib/storage/backup/backup-attempts";
import packageJson from "@/package.json" with { type: "json" };
import { type DatabaseConnections, openConnections } from "./database-connections";
import type { ServerEnvironment } from "./environment";
import { HttpError } from "./http-error";
import { logFailure } from "./log";
import type { StoredFigures } from "./metrics";
import { onceUntilFailure } from "./once-until-failure";

export interface AppDatabase extends DatabaseConnections {
  readonly notifications: Notifications;
  readonly source: BackupSource;
  ready(): Promise<void>;
  readySoon(): Promise<void>;
  storedFigures(): Promise<StoredFigures | null>;
}

const requestWaitMs = 8_000;
const checkEveryMs = 10_000;

export function openDatabase(
  environment: Pick<ServerEnvironment, "databaseUrl" | "directUrl" | "dataDir">,
): AppDatabase {
  const { databaseUrl: pooledUrl, directUrl, dataDir } = environment;
  const connections = openConnections(pooledUrl, directUrl);
  const { sql } = connections;
  const notifications = new Notifications(sql, {
    onError: (error) => logFailure("Notifying the other processes", error),
  });
  const source = {
    // Migrations, backups and imports need sessions.
    databaseUrl: directUrl ?? pooledUrl,
    root: process.cwd(),
    groveVersion: packageJson.version,
  };
  const ready = onceUntilFailure(() => prepare({ sql, source, notifications }, dataDir));
  return {
    ...connections,
    notifications,
    source,
    ready,
    readySoon: () => soon(ready()),
    storedFigures: () => storedFigures(sql),
  };
}

async function storedFigures(sql: Sql): Promise<StoredFigures | null> {
  try {
    const [row] = await sql<[{ bytes: number; postgres: string }]>`
      select pg_database_size(current_database()) as bytes,
        split_part(current_setting('server_version'), ' ', 1) as postgres`;
    const { succeededAt } = await latestAttempt(sql);
    return { databaseBytes: row.bytes, postgres: row.postgres, lastBackupAt: succeededAt };
  } catch (error) {
    logFailure("Reading figures of the database", error);
    return null;
  }
}

/** Requests do not wait for a long migration. */
async function soon(ready: Promise<void>): Promise<void> {
  const given = new AbortController();
  const late = delay(requestWaitMs, "late", { signal: given.signal }).catch(() => "given");
  const end = await Promise.race([ready, late]).finally(() => given.abort());
  if (end === "late")
    throw new HttpError(503, "database", "Grove is preparing its database. Try again in a moment.");
}

async function prepare(
  { sql, source, notifications }: Pick<AppDatabase, "sql" | "source" | "notifications">,
  dataDir: string,
): Promise<void> {
  const { databaseUrl, root } = source;
  // Migrating may take long, so it has separate connections.
  const migrating = connect(databaseUrl, { max: 3, connect_timeout: 5 });
  const isSilent = (error: unknown) => (error as { code?: unknown }).code === "DATABASE_SILENT";
  const check = setInterval(() => {
    sql`select 1`.catch((error: unknown) => {
      if (isSilent(error)) void migrating.end({ timeout: 0 });
    });
  }, checkEveryMs);
  const beforeUpgrade = backupBeforeUpgrade(source, { environment: process.env, dataDir });
  await migrate(migrating, { root, beforeUpgrade }).finally(() => {
    clearInterval(check);
    return migrating.end({ timeout: 1 });
  });
  await notifications.start();
}

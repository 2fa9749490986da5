import { createHash } from "node:crypto";
import { connect } from "@/lib/postgres/connect";
import { EmbeddedPostgresError } from "@/lib/postgres/embedded/embedded-postgres-error";
import {
  type EmbeddedPostgres,
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from "@/lib/postgres/embedded/start-embedded-postgres";
import { StartError, type StartSettings } from "./start-settings";

export type Database = Pick<EmbeddedPostgres, "url" | "failed" | "stop">;

/**
 * Starts the embedded Postgres without `DATABASE_URL`.
 *
 * @throws {StartError} when `DATABASE_URL` does not answer.
 * @throws {EmbeddedPostgresError} when the embedded one cannot run.
 */
export async function openDatabase(
  { databaseUrl, dataDir, dataDirGiven }: StartSettings,
  say: (line: string) => void,
): Promise<Database> {
  if (databaseUrl) {
    await assertAnswers(databaseUrl);
    return { url: databaseUrl, failed: new Promise(() => undefined), stop: async () => undefined };
  }
  return startEmbeddedPostgres({
    dataDir,
    log: say,
    guardsDisk: true,
    ...(dataDirGiven ? {} : { fallbackDir: fallbackFor(dataDir) }),
  });
}

/** As `openDatabase`, but also uses the embedded Postgres of a Grove that is running. */
export async function openOrJoinDatabase(
  settings: StartSettings,
  say: (line: string) => void,
): Promise<Database> {
  try {
    return await openDatabase(settings, say);
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError && error.code === "in-use")) throw error;
    const url = await runningEmbeddedPostgres(settings.dataDir);
    if (!url) throw error;
    return { url, failed: new Promise(() => undefined), stop: async () => undefined };
  }
}

async function assertAnswers(url: string): Promise<void> {
  const sql = connect(url, { max: 1, connect_timeout: 10, fetch_types: false });
  try {
    await sql`select 1`;
  } catch (cause) {
    // This sentence ends up in logs.
    const { host, pathname } = new URL(url);
    throw new StartError(
      `The Postgres that DATABASE_URL names (${host}${pathname}) cannot be used: ${reasonOf(cause)}. Check the address and that the server runs, or leave DATABASE_URL empty to use the embedded one.`,
      { cause },
    );
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function reasonOf(cause: unknown): string {
  const { message, code } = cause as { message?: string; code?: string };
  return message || code || "it does not answer";
}

/** For root with a project in a closed folder. */
function fallbackFor(dataDir: string): string {
  return `/var/lib/grove/${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;
}

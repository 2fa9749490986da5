import { createHash } from "node:crypto";
import { connect } from "@/lib/postgres/start";
import { withFirstHost } from "@/lib/server/settings/setting-kinds";
import { EmbeddedPostgresError } from "@/lib/storage/embedded/embedded-postgres-error";
import {
  type EmbeddedPostgres,
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from "@/lib/storage/embedded/start-embedded-postgres";
import { notificationsArrive } from "@/lib/storage/notifications-arrive";
import { StartError, type StartSettings } from "./start-settings";

export type OpenDatabase = Pick<EmbeddedPostgres, "url" | "failed" | "stop">;

export async function openDatabase(
  settings: StartSettings,
  say: (line: string) => void,
): Promise<OpenDatabase> {
  const { databaseUrl, directUrl, dataDir, dataDirGiven } = settings;
  if (databaseUrl) {
    await assertAnswers({ databaseUrl, directUrl }, { title: databaseTitle(settings), say });
    const url = directUrl ?? databaseUrl;
    return { url, failed: new Promise(() => undefined), stop: async () => undefined };
  }
  return startEmbeddedPostgres({
    dataDir,
    log: say,
    guardsDisk: true,
    ...(dataDirGiven ? {} : { fallbackDir: fallbackFor(dataDir) }),
  });
}

export function databaseTitle({ databaseUrl, dataDir }: StartSettings): string {
  if (!databaseUrl) return `the database in ${dataDir}`;
  const { host, pathname } = new URL(withFirstHost(databaseUrl));
  return `the Postgres that DATABASE_URL names (${host}${pathname})`;
}

export async function openOrJoinDatabase(
  settings: StartSettings,
  say: (line: string) => void,
): Promise<OpenDatabase> {
  try {
    return await openDatabase(settings, say);
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError && error.code === "in-use")) throw error;
    const url = await runningEmbeddedPostgres(settings.dataDir);
    if (!url) throw error;
    return { url, failed: new Promise(() => undefined), stop: async () => undefined };
  }
}

type Addresses = { readonly databaseUrl: string; readonly directUrl: string | null };

async function assertAnswers(
  { databaseUrl, directUrl }: Addresses,
  { title, say }: { title: string; say: (line: string) => void },
): Promise<void> {
  const sql = connect(databaseUrl, { max: 1, connect_timeout: 10, fetch_types: false, directUrl });
  try {
    await sql`select 1`;
    if (!(await notificationsArrive(sql))) say(deafSentence(directUrl));
  } catch (cause) {
    const name = title.replace("the", "The");
    throw new StartError(`${name} cannot be used: ${reasonOf(cause)}. ${adviceFor(cause)}`, {
      cause,
    });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function deafSentence(directUrl: string | null): string {
  const advice = directUrl
    ? "DATABASE_DIRECT_URL must name the same database as DATABASE_URL, without a pooler of transactions."
    : "DATABASE_URL seems to be a pooler of transactions: set DATABASE_DIRECT_URL to the Postgres behind it.";
  return `Notifications of the database do not arrive, so tabs miss what other processes of Grove do. ${advice}`;
}

/** PgBouncer refuses settings that only a session can keep. */
function adviceFor(cause: unknown): string {
  return /startup parameter/.test(reasonOf(cause))
    ? "It is a pooler: set DATABASE_DIRECT_URL, too, to the Postgres behind it."
    : "Check the address and that the server runs, or leave DATABASE_URL empty to use the embedded one.";
}

function reasonOf(cause: unknown): string {
  const { message, code } = cause as { message?: string; code?: string };
  return message || code || "it does not answer";
}

function fallbackFor(dataDir: string): string {
  return `/var/lib/grove/${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;
}

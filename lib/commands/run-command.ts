import { MigrationError } from "@/lib/postgres/start";
import { BackupError } from "@/lib/storage/backup/backup-format";
import { EmbeddedPostgresError } from "@/lib/storage/embedded/embedded-postgres-error";
import { StartError } from "./start-settings";

const oldestNode = [22, 12] as const;
/** Under npm Ctrl+C arrives twice; only a person waits this long before the second. */
const impatientAfterMs = 2_000;

export async function runCommand(command: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ending = new AbortController();
  let firstAt = Number.POSITIVE_INFINITY;
  const end = () => {
    if (Date.now() - firstAt > impatientAfterMs) process.exit(1);
    firstAt = Math.min(firstAt, Date.now());
    ending.abort();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, end);
  whenNpmEnds(end);
  try {
    assertNodeVersion(process.versions.node);
    await command(ending.signal);
    process.exit(0);
  } catch (error) {
    const { signal } = ending;
    console.error(signal.aborted && isOf(error, signal.reason) ? "Stopped." : explain(error));
    process.exit(1);
  }
}

/** A signal to npm does not reach this process. */
function whenNpmEnds(end: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, 250);
  timer.unref();
}

function assertNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [needed, neededMinor] = oldestNode;
  if (major > needed || (major === needed && minor >= neededMinor)) return;
  throw new StartError(
    `Grove needs Node ${oldestNode.join(".")} or newer and this is ${version}. The package "node" that \`npm install\` brings has one: run \`npm install\` again without --omit=optional or --ignore-scripts, and use npm start.`,
  );
}

function isOf(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && isOf(error.cause, reason));
}

function isWrongUsage(error: unknown): boolean {
  return String((error as { code?: unknown } | null)?.code).startsWith("ERR_PARSE_ARGS_");
}

function explain(error: unknown): unknown {
  const expected = [StartError, BackupError, EmbeddedPostgresError, MigrationError];
  const isExpected = expected.some((kind) => error instanceof kind) || isWrongUsage(error);
  return isExpected ? (error as Error).message : error;
}

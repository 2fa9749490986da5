import { join, resolve } from "node:path";
import { z } from "zod";

const schema = z.object({
  DATABASE_URL: z.string().min(1, "is missing. Start Grove with `npm start`, which sets it"),
  GROVE_DATA_DIR: z.string().min(1).default(".grove"),
  /** An empty line in `.env` counts as unset. */
  SECRETS_KEY_FILE: z
    .string()
    .optional()
    .transform((path) => path || undefined),
  /** Days until what was deleted is removed for good. */
  GROVE_KEEP_DELETED_DAYS: z
    .string()
    .optional()
    .transform((days) => (days === undefined || days === "" ? 30 : Number(days)))
    .pipe(
      z.number("takes a number of days").min(0, "takes a number of days, 0 or more").max(36_500),
    ),
  /** Of one file, in megabytes. */
  GROVE_MAX_FILE_MB: z
    .string()
    .optional()
    .transform((size) => (size === undefined || size === "" ? 25 : Number(size)))
    .pipe(z.number("takes a number of megabytes").min(1).max(2_000)),
  HOST: z.string().optional(),
  /** Checked by the launcher. */
  GROVE_DRAIN_SECONDS: z.coerce.number().catch(10),
  GROVE_MAX_ANSWER_CHARACTERS: z.coerce.number().int().min(1_000).max(4_000_000).catch(1_000_000),
  /** Answers of one owner at once. */
  GROVE_MAX_RUNNING_ANSWERS: z.coerce.number().int().min(1).max(1_000).catch(8),
  /** For browser tests: `npm start` never passes it on. */
  GROVE_TEST_OWNERS: z.string().optional(),
});

const loopback = ["127.0.0.1", "localhost", "::1"];

export interface ServerEnvironment {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Outside the database folder. */
  readonly secretsKeyFile: string;
  /** Answers that the database could not take. */
  readonly spoolDir: string;
  /** For running answers at shutdown. */
  readonly drainMs: number;
  readonly maxAnswerCharacters: number;
  /** Of one uploaded file. */
  readonly maxFileBytes: number;
  /** Of one owner at once. */
  readonly maxRunningAnswers: number;
  /** A host unless the database is embedded. */
  readonly dataLocation: string;
  /** Milliseconds. */
  readonly deletedKeptMs: number;
  /** A cookie names the owner, for browser tests. */
  readonly hasTestOwners: boolean;
}

/** @throws {Error} naming the missing or invalid variable. */
export function readEnvironment(
  environment: Record<string, string | undefined>,
): ServerEnvironment {
  const read = schema.safeParse(environment);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`${issue?.path.join(".")} ${issue?.message}.`);
  }
  const { DATABASE_URL, GROVE_DATA_DIR, SECRETS_KEY_FILE, GROVE_DRAIN_SECONDS } = read.data;
  const { HOST, GROVE_TEST_OWNERS } = read.data;
  const hasTestOwners = GROVE_TEST_OWNERS === "1";
  if (hasTestOwners && !loopback.includes(HOST ?? "")) {
    throw new Error(
      "GROVE_TEST_OWNERS lets every request choose whose data it reads, so it needs a HOST that is 127.0.0.1, localhost or ::1.",
    );
  }
  return {
    databaseUrl: DATABASE_URL,
    dataDir: GROVE_DATA_DIR,
    spoolDir: join(GROVE_DATA_DIR, "unsaved-answers"),
    maxAnswerCharacters: read.data.GROVE_MAX_ANSWER_CHARACTERS,
    maxRunningAnswers: read.data.GROVE_MAX_RUNNING_ANSWERS,
    maxFileBytes: read.data.GROVE_MAX_FILE_MB * 1_000_000,
    drainMs: GROVE_DRAIN_SECONDS * 1_000,
    secretsKeyFile: SECRETS_KEY_FILE ?? join(GROVE_DATA_DIR, "secrets.key"),
    deletedKeptMs: read.data.GROVE_KEEP_DELETED_DAYS * 24 * 60 * 60 * 1_000,
    dataLocation: locationOf(DATABASE_URL, GROVE_DATA_DIR),
    hasTestOwners,
  };
}

/** The folder of an embedded database, otherwise its host. */
export function locationOf(databaseUrl = "", dataDir = ".grove"): string {
  if (!URL.canParse(databaseUrl)) return "the database";
  const { searchParams, host, pathname } = new URL(databaseUrl);
  return searchParams.get("host")?.startsWith("/")
    ? resolve(/*turbopackIgnore: true*/ dataDir)
    : `Postgres at ${host}${pathname}`;
}

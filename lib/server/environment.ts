import { join, resolve } from "node:path";
import { type AccountsEnvironment, readAccounts } from "@/lib/accounts/environment";
import { readSetting, settingProblems } from "./settings/read-settings";
import { withFirstHost } from "./settings/setting-kinds";

const loopback = ["127.0.0.1", "localhost", "::1"];

export interface ServerEnvironment {
  readonly databaseUrl: string;
  readonly directUrl: string | null;
  readonly dataDir: string;
  /** Outside the database folder. */
  readonly secretsKeyFile: string;
  readonly spoolDir: string;
  readonly drainMs: number;
  readonly maxAnswerCharacters: number;
  readonly maxRunningAnswers: number;
  readonly dataLocation: string;
  readonly deletedKeptMs: number;
  readonly metricsToken: string | null;
  /** A cookie names the owner, for browser tests. */
  readonly hasTestOwners: boolean;
  readonly accounts: AccountsEnvironment | null;
  readonly trustedProxies: number;
}

export function readEnvironment(
  environment: Record<string, string | undefined>,
): ServerEnvironment {
  const problems = settingProblems(environment);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const read = <Name extends Parameters<typeof readSetting>[1]>(name: Name) =>
    readSetting(environment, name);
  const databaseUrl = read("DATABASE_URL");
  if (databaseUrl === null)
    throw new Error("DATABASE_URL is missing. Start Grove with `npm start`, which sets it.");
  const { HOST, GROVE_TEST_OWNERS } = environment;
  const hasTestOwners = GROVE_TEST_OWNERS === "1";
  if (hasTestOwners && !loopback.includes(HOST ?? "")) {
    throw new Error(
      "GROVE_TEST_OWNERS lets every request choose whose data it reads, so it needs a HOST that is 127.0.0.1, localhost or ::1.",
    );
  }
  const accounts = readAccounts(environment);
  const host = environment.HOST?.trim();
  if (!accounts && host && !loopback.includes(host)) {
    throw new Error(
      "HOST is reachable from other machines, so Grove needs GROVE_ORIGIN, which switches accounts on.",
    );
  }
  const dataDir = read("GROVE_DATA_DIR") ?? ".grove";
  return {
    databaseUrl,
    directUrl: read("DATABASE_DIRECT_URL"),
    dataDir,
    spoolDir: join(dataDir, "unsaved-answers"),
    maxAnswerCharacters: read("GROVE_MAX_ANSWER_CHARACTERS"),
    maxRunningAnswers: read("GROVE_MAX_RUNNING_ANSWERS"),
    drainMs: read("GROVE_DRAIN_SECONDS") * 1_000,
    secretsKeyFile: read("SECRETS_KEY_FILE") ?? join(dataDir, "secrets.key"),
    deletedKeptMs: read("GROVE_KEEP_DELETED_DAYS") * 24 * 60 * 60 * 1_000,
    dataLocation: locationOf(databaseUrl, dataDir),
    hasTestOwners: hasTestOwners && !accounts,
    accounts,
    trustedProxies: read("GROVE_TRUSTED_PROXIES"),
    metricsToken: read("GROVE_METRICS_TOKEN"),
  };
}

export function locationOf(databaseUrl = "", dataDir = ".grove"): string {
  if (isEmbedded(databaseUrl)) return resolve(/*turbopackIgnore: true*/ dataDir);
  const address = URL.parse(withFirstHost(databaseUrl));
  return address ? `Postgres at ${address.host}${address.pathname}` : "the database";
}

/** Its address is a folder. */
export function isEmbedded(databaseUrl = ""): boolean {
  return URL.parse(databaseUrl)?.searchParams.get("host")?.startsWith("/") ?? false;
}

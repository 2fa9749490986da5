import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { isPlainHttp, readAccounts } from "@/lib/accounts/environment";
import {
  type Environment,
  readSetting,
  settingProblems,
} from "@/lib/server/settings/read-settings";
import type { Setting } from "@/lib/server/settings/setting-kinds";
import { settings } from "@/lib/server/settings/settings";

export type { Environment } from "@/lib/server/settings/read-settings";

export interface StartSettings {
  port: number;
  host: string;
  dataDir: string;
  /** An explicit data folder must not be replaced. */
  dataDirGiven: boolean;
  databaseUrl: string | null;
  directUrl: string | null;
  drainSeconds: number;
  origin: string | null;
}

const loopback: readonly string[] = ["127.0.0.1", "localhost", "::1"];

export function readStartSettings(
  environment: Environment,
  { projectDir }: { projectDir: string },
): { ok: true; settings: StartSettings } | { ok: false; problems: string[] } {
  // An empty line unsets a variable.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const problems = settingProblems(environment);
  if (problems.length > 0) return { ok: false, problems };
  const accounts = accountsIn(set);
  if (accounts.problem !== null) return { ok: false, problems: [accounts.problem] };
  const host = (readSetting(environment, "HOST") ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  if (accounts.origin === null && !loopback.includes(host)) {
    return {
      ok: false,
      problems: [
        `HOST=${host} would open Grove to other machines, but there are no accounts: anyone on the network could read and change everything. Set GROVE_ORIGIN to the address people will open, which switches accounts on. Or leave HOST unset, and use an SSH tunnel from another machine.`,
      ],
    };
  }
  const dataDir = readSetting(environment, "GROVE_DATA_DIR");
  return {
    ok: true,
    settings: {
      port: readSetting(environment, "PORT"),
      host,
      dataDir: dataDir === null ? join(projectDir, ".grove") : resolve(projectDir, dataDir),
      dataDirGiven: dataDir !== null,
      databaseUrl: readSetting(environment, "DATABASE_URL"),
      directUrl: readSetting(environment, "DATABASE_DIRECT_URL"),
      drainSeconds: readSetting(environment, "GROVE_DRAIN_SECONDS"),
      origin: accounts.origin,
    },
  };
}

function accountsIn(environment: Environment): { origin: string | null; problem: string | null } {
  try {
    return { origin: readAccounts(environment)?.origin ?? null, problem: null };
  } catch (error) {
    return { origin: null, problem: (error as Error).message };
  }
}

export function readySentence({ origin, ...place }: StartSettings): string {
  if (origin === null) return addressFor(place);
  return isPlainHttp(origin)
    ? `${origin}\nThis is plain http: passwords and chats cross your network unencrypted. Use it only where you trust everyone, and https elsewhere.`
    : origin;
}

export function addressFor({ host, port }: Pick<StartSettings, "host" | "port">): string {
  const own = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${own.includes(":") ? `[${own}]` : own}:${port}`;
}

export const appFolder = resolve(import.meta.dirname, "../..");

/** `NODE_ENV` is never taken from a file: a wrong one breaks a build. */
export function loadEnvironment(projectDir: string, own: Environment): Environment {
  const files = [".env", ".env.local"].map((name) => read(join(projectDir, name)));
  const { NODE_ENV: _, ...fromFiles } = Object.assign({}, ...files) as Environment;
  return absolutePaths({ ...fromFiles, ...own }, projectDir);
}

function absolutePaths(environment: Environment, folder: string): Environment {
  const paths = Object.entries<Setting<unknown>>(settings).flatMap(([name, { isPath }]) => {
    const given = environment[name]?.trim();
    return isPath && given ? [[name, resolve(folder, given)]] : [];
  });
  return { ...environment, ...Object.fromEntries(paths) };
}

function read(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}

export class StartError extends Error {
  override readonly name = "StartError";
}

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";

export interface StartSettings {
  port: number;
  host: string;
  dataDir: string;
  /** An explicit data folder must not be replaced. */
  dataDirGiven: boolean;
  /** `null` starts the embedded Postgres. */
  databaseUrl: string | null;
  /** For running answers when Grove is stopped. */
  drainSeconds: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const loopback: readonly string[] = ["127.0.0.1", "localhost", "::1"];

const schema = z.object({
  PORT: z.coerce
    .number("PORT must be a number, such as 3000.")
    .int("PORT must be a whole number, such as 3000.")
    .min(1, "PORT must be between 1 and 65535.")
    .max(65_535, "PORT must be between 1 and 65535.")
    .default(3000),
  HOST: z
    .string()
    .transform((host) => host.replace(/^\[(.*)\]$/, "$1"))
    .refine((host) => loopback.includes(host), {
      error: (issue) =>
        `HOST=${issue.input} would open Grove to other machines, but there is no login yet: anyone on the network could read and change everything. Leave HOST unset, or set it to 127.0.0.1, localhost or ::1. From another machine, use an SSH tunnel.`,
    })
    .default("127.0.0.1"),
  GROVE_DATA_DIR: z.string().optional(),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: "DATABASE_URL must look like postgres://user:password@host:5432/name.",
    })
    .optional(),
  GROVE_DRAIN_SECONDS: z.coerce
    .number("GROVE_DRAIN_SECONDS must be a number, such as 10.")
    .min(0, "GROVE_DRAIN_SECONDS must be between 0 and 3600.")
    .max(3_600, "GROVE_DRAIN_SECONDS must be between 0 and 3600.")
    .default(10),
});

/** Problems are sentences for the person. */
export function readStartSettings(
  environment: Environment,
  { projectDir }: { projectDir: string },
): { ok: true; settings: StartSettings } | { ok: false; problems: string[] } {
  // An empty line unsets a variable.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = schema.safeParse(set);
  if (!parsed.success)
    return { ok: false, problems: parsed.error.issues.map((issue) => issue.message) };
  const { PORT, HOST, GROVE_DATA_DIR, DATABASE_URL, GROVE_DRAIN_SECONDS } = parsed.data;
  return {
    ok: true,
    settings: {
      port: PORT,
      host: HOST,
      dataDir: GROVE_DATA_DIR ? resolve(projectDir, GROVE_DATA_DIR) : join(projectDir, ".grove"),
      dataDirGiven: GROVE_DATA_DIR !== undefined,
      databaseUrl: DATABASE_URL ?? null,
      drainSeconds: GROVE_DRAIN_SECONDS,
    },
  };
}

export function addressFor({ host, port }: Pick<StartSettings, "host" | "port">): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * The process' environment wins over `.env.local` over `.env`. `NODE_ENV` is never taken from a file: a wrong one
 * breaks a build.
 */
export function loadEnvironment(projectDir: string, own: Environment): Environment {
  const files = [".env", ".env.local"].map((name) => read(join(projectDir, name)));
  const { NODE_ENV: _, ...fromFiles } = Object.assign({}, ...files) as Environment;
  return { ...fromFiles, ...own };
}

function read(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}

/** Printed without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}

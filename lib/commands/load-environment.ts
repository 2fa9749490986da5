import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Environment } from "./start-settings";

/**
 * The process' environment over `.env.local` over `.env`.
 *
 * `NODE_ENV` is never taken from a file: it belongs to what is being run, and a wrong one breaks a build.
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

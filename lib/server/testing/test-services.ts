import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { services } from "@/lib/server/services";

export interface TestServices {
  readonly database: TestDatabase;
  readonly dataDir: string;
  /** The next file of tests in this process makes services of its own. */
  end(): Promise<void>;
}

/** Gives `services()` a database and a data folder of their own, in an environment that other files do not see. */
export async function startTestServices(
  environment: Record<string, string | undefined> = {},
  through: (databaseUrl: string) => Promise<string> = async (url) => url,
): Promise<TestServices> {
  const [database, dataDir] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), "grove-services-")),
  ]);
  const own = {
    DATABASE_URL: await through(database.url),
    GROVE_DATA_DIR: dataDir,
    GROVE_DISCOVER_LOCAL: "0",
    GROVE_ORIGIN: undefined,
  };
  const restore = setEnvironment({ ...own, ...environment });
  return {
    database,
    dataDir,
    end: async () => {
      const { sql, chunkSql, endTools } = services();
      await endTools();
      await Promise.all([sql.end({ timeout: 1 }), chunkSql.end({ timeout: 1 })]);
      Reflect.deleteProperty(globalThis, "groveServices");
      restore();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The values stay until the returned function is called; a stub of vitest ends with its test. */
export function setEnvironment(values: Record<string, string | undefined>): () => void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  const set = ([name, value]: readonly [string, string | undefined]) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  Object.entries(values).forEach(set);
  return () => before.forEach(set);
}

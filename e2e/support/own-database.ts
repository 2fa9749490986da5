import { withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import { startEmbeddedPostgres } from "@/lib/storage/embedded/start-embedded-postgres";
import { test as base } from "./own-grove";

interface OwnDatabase {
  /** The address of the Postgres that this worker's Grove is on. */
  databaseUrl: string;
}

/** Tests in a Grove of their own, on a Postgres that others may write to as well. */
export const test = base.extend<object, OwnDatabase>({
  databaseUrl: [
    ({ browserName: _ }, use) =>
      withTemporaryFolder(async (dataDir) => {
        const database = await startEmbeddedPostgres({ dataDir });
        await use(database.url).finally(() => database.stop());
      }),
    { scope: "worker", timeout: 120_000 },
  ],
  groveEnvironment: [
    ({ databaseUrl }, use) => use({ GROVE_E2E_DATABASE_URL: databaseUrl }),
    { scope: "worker" },
  ],
});

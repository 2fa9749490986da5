import { backupBeforeUpgrade } from "@/lib/backups/take-backup";
import { connect } from "@/lib/postgres/connect";
import { migrate } from "@/lib/postgres/migrate";
import packageJson from "@/package.json" with { type: "json" };
import type { GroveOptions } from "./run-grove";

/** Backs up existing tables before they change. @throws {MigrationError} when it cannot. */
export async function upgradeDatabase(
  { projectDir, environment, signal, say }: Omit<GroveOptions, "mode">,
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
): Promise<void> {
  const source = { databaseUrl, root: projectDir, groveVersion: packageJson.version };
  const sql = connect(databaseUrl, { max: 1 });
  try {
    await migrate(sql, {
      root: projectDir,
      beforeUpgrade: backupBeforeUpgrade(source, { environment, dataDir, signal, say }),
    });
    say("The database has the schema of this version.");
  } finally {
    await sql.end({ timeout: 5 });
  }
}

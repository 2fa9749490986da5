import { connect, migrate } from "grove-session/postgres";
import { backupBeforeUpgrade, type UpgradeOptions } from "@/lib/backups/take-backup";
import packageJson from "@/package.json" with { type: "json" };

interface DatabaseUpgrade extends UpgradeOptions {
  readonly projectDir: string;
  readonly databaseUrl: string;
  readonly say: (line: string) => void;
}

export async function upgradeDatabase(upgrade: DatabaseUpgrade): Promise<void> {
  const { projectDir, databaseUrl, say } = upgrade;
  const source = { databaseUrl, root: projectDir, groveVersion: packageJson.version };
  const sql = connect(databaseUrl, { max: 1 });
  try {
    await migrate(sql, { root: projectDir, beforeUpgrade: backupBeforeUpgrade(source, upgrade) });
    say("The database has the schema of this version.");
  } finally {
    await sql.end({ timeout: 5 });
  }
}

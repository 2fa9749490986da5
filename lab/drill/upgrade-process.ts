import { once } from "node:events";
import { upgradeDatabase } from "@/lib/commands/upgrade-database";

// A process to kill: prints "ready", waits for a line, and upgrades the database as a start does.
const [databaseUrl = "", dataDir = "", projectDir = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
await once(process.stdin, "data");
await upgradeDatabase({
  projectDir,
  environment: {},
  databaseUrl,
  dataDir,
  say: (line) => process.stdout.write(`${line}\n`),
});
process.exit(0);

import { connect } from "@/lib/postgres/connect";
import { migrate } from "@/lib/postgres/migrate";
import { openDatabase } from "./open-database";
import { runCommand } from "./run-command";
import { loadEnvironment, readStartSettings, StartError } from "./start-settings";

const projectDir = process.cwd();

await runCommand(async () => {
  const read = readStartSettings(loadEnvironment(projectDir, process.env), { projectDir });
  if (!read.ok) throw new StartError(read.problems.join("\n"));
  const database = await openDatabase(read.settings, (line) => console.info(line));
  const sql = connect(database.url, { max: 3, onnotice: () => undefined });
  try {
    await migrate(sql, { root: projectDir });
    console.info("The database has the schema of this version.");
  } finally {
    await sql.end({ timeout: 5 });
    await database.stop();
  }
});

import { parseArgs } from "node:util";
import { connect } from "grove-session/postgres";
import { distribute, distributionStatements } from "@/lib/storage/distribution";
import { runCommand } from "./run-command";
import { loadEnvironment, readStartSettings, StartError } from "./start-settings";

const projectDir = process.cwd();

await runCommand(async () => {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
  const environment = loadEnvironment(projectDir, process.env);
  const read = readStartSettings(environment, { projectDir });
  if (!read.ok) throw new StartError(read.problems.join("\n"));
  const { databaseUrl, directUrl } = read.settings;
  if (!databaseUrl) {
    throw new StartError(
      "DATABASE_URL names no Postgres: the embedded one is not distributed. Set it to the coordinator of a Citus.",
    );
  }
  const say = (line: string) => console.info(`${line};`);
  const sql = connect(directUrl ?? databaseUrl, { max: 1, deadlineMs: null });
  try {
    if (values["dry-run"]) (await distributionStatements(sql, new Set())).forEach(say);
    else await distribute(sql, say);
  } finally {
    await sql.end({ timeout: 1 });
  }
});

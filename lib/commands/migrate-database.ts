import { openDatabase } from "./open-database";
import { runCommand } from "./run-command";
import { appFolder, loadEnvironment, readStartSettings, StartError } from "./start-settings";
import { upgradeDatabase } from "./upgrade-database";

const projectDir = process.cwd();

await runCommand(async (signal) => {
  const environment = loadEnvironment(projectDir, process.env);
  const read = readStartSettings(environment, { projectDir });
  if (!read.ok) throw new StartError(read.problems.join("\n"));
  const { dataDir } = read.settings;
  const say = (line: string) => console.info(line);
  const database = await openDatabase(read.settings, say);
  try {
    const databaseUrl = database.url;
    await upgradeDatabase({
      projectDir: appFolder,
      environment,
      signal,
      say,
      databaseUrl,
      dataDir,
    });
  } finally {
    await database.stop();
  }
});

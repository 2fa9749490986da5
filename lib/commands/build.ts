import { ensureBuild } from "./ensure-build";
import { runCommand } from "./run-command";
import { loadEnvironment } from "./start-settings";

const projectDir = process.cwd();

await runCommand((signal) =>
  ensureBuild({
    projectDir,
    environment: loadEnvironment(projectDir, process.env),
    signal,
    say: (line) => console.info(line),
  }),
);

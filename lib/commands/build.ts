import { ensureBuild } from "./ensure-build";
import { loadEnvironment } from "./load-environment";
import { runCommand } from "./run-command";

const projectDir = process.cwd();

await runCommand((signal) =>
  ensureBuild({
    projectDir,
    environment: loadEnvironment(projectDir, process.env),
    signal,
    say: (line) => console.info(line),
  }),
);

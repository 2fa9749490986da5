import { ensureBuild } from "./ensure-build";
import { runCommand } from "./run-command";
import { loadEnvironment } from "./start-settings";
import { StartSteps } from "./start-steps";

const projectDir = process.cwd();
const say = (line: string) => console.info(line);

await runCommand((signal) =>
  ensureBuild({
    projectDir,
    environment: loadEnvironment(projectDir, process.env),
    signal,
    say,
    steps: new StartSteps(say, process.stdout),
  }),
);

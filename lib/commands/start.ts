import { runCommand } from "./run-command";
import { runGrove } from "./run-grove";
import { loadEnvironment } from "./start-settings";

const projectDir = process.cwd();

await runCommand((signal) =>
  runGrove({
    mode: process.argv.includes("--dev") ? "development" : "production",
    projectDir,
    environment: loadEnvironment(projectDir, process.env),
    signal,
    say: (line) => console.info(line),
  }),
);

import { loadEnvironment } from "./load-environment";
import { runCommand } from "./run-command";
import { runGrove } from "./run-grove";

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

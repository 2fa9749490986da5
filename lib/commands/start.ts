import { isJsonLog, logLine } from "@/lib/server/log-line";
import { runCommand } from "./run-command";
import { runGrove } from "./run-grove";
import { appFolder, loadEnvironment } from "./start-settings";

const workDir = process.cwd();

await runCommand((signal) =>
  runGrove({
    mode: process.argv.includes("--dev") ? "development" : "production",
    projectDir: appFolder,
    workDir,
    environment: loadEnvironment(workDir, process.env),
    signal,
    say: (line) => console.info(logLine(line)),
    ...(!isJsonLog() && { terminal: process.stdout }),
  }),
);

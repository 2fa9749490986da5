import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port";

export interface GroveProcess {
  address: string;
  pid: number;
  /** From the start of the command to the line that says it is ready. */
  readyAfterMs: number;
  stop(): Promise<void>;
}

const command = fileURLToPath(new URL("../commands/start.ts", import.meta.url));

// Grove as a new person gets it, whatever this machine's own `.env` says.
const unset = ["ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENAI_API_KEY", "HOST"];

/**
 * Runs what `npm start` runs, on a data folder and a free port, and waits until it is ready.
 *
 * @throws with what it said when it ends instead.
 */
export async function startGrove({
  dataDir,
  environment = {},
}: {
  dataDir: string;
  environment?: Record<string, string>;
}): Promise<GroveProcess> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--import", "tsx", command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...Object.fromEntries([...unset, "DATABASE_URL"].map((name) => [name, ""])),
      npm_lifecycle_event: "",
      GROVE_DATA_DIR: dataDir,
      PORT: String(port),
      ...environment,
    },
  });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  let said = "";
  const ready = new Promise<void>((done, fail) => {
    const take = (chunk: Buffer) => {
      said += chunk;
      if (said.includes("Grove is ready at")) done();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("exit", () => fail(new Error(`Grove did not start:\n${said}`)));
  });
  await ready;
  const readyAfterMs = performance.now() - startedAt;
  return { address: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, readyAfterMs, stop };
}

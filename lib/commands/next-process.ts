import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface NextProcessOptions {
  projectDir: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** What to do with its standard output, line for line as it comes. */
  output: (chunk: string) => void;
}

export interface NextProcess {
  /** Settles with a word on how it ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Lets it finish what it is answering, for a while. */
  stop(): Promise<void>;
}

/** Open pages hold a connection for live updates, which would keep the server from ever closing by itself. */
const graceMs = 5_000;

const script = fileURLToPath(new URL("next-with-parent.js", import.meta.url));

/** Runs Next's command line under the same Node as this process. */
export function startNext({ projectDir, args, env, output }: NextProcessOptions): NextProcess {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: projectDir,
    env,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    // In a group of its own: Ctrl+C in the terminal reaches this process alone, which then stops things in order.
    detached: process.platform !== "win32",
  });
  child.stdout?.setEncoding("utf8").on("data", output);
  const ended = endOf(child);
  return { ended, stop: () => stop(child, ended) };
}

function endOf(child: ChildProcess): NextProcess["ended"] {
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => done({ code, signal }));
  });
}

async function stop(child: ChildProcess, ended: NextProcess["ended"]): Promise<void> {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
  // `next dev` works through children of its own; none may be left when it is gone.
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!child.pid) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

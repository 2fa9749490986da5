import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { bundledChromium } from "./bundled-chromium";

/** Options of a browser known to run on this machine. */
export interface Browser {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

type Candidate = Pick<Browser, "executablePath"> & Partial<Browser>;

/**
 * Finds a Chromium: the one in CHROMIUM_PATH, Playwright's, the system's, the one npm brings for Linux on x64; else
 * Playwright is asked to download its own.
 *
 * @throws when CHROMIUM_PATH does not run, or nothing else does.
 */
export async function findChromium(): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH;
  if (given)
    return runnable({ executablePath: given }) ?? fail(`CHROMIUM_PATH=${given} does not run.`);
  return (
    runnable({ executablePath: chromium.executablePath() }) ??
    firstRunnable(systemPaths()) ??
    runnable(await bundledChromium()) ??
    runnable(downloaded()) ??
    fail(
      "No Chromium runs here and none could be downloaded. Install one (apt-get install chromium), or name one with CHROMIUM_PATH.",
    )
  );
}

function runnable(candidate: Candidate | null): Browser | null {
  if (!candidate || !existsSync(candidate.executablePath)) return null;
  const { executablePath, args = [], env = {} } = candidate;
  // A file that is there may still lack libraries. Its own answer is the only proof.
  const { status } = spawnSync(executablePath, ["--version", ...sandboxArguments()], {
    env: { ...process.env, ...env },
    timeout: 30_000,
  });
  if (status !== 0) return null;
  return { executablePath, args: [...args, ...sandboxArguments()], env };
}

function firstRunnable(paths: string[]): Browser | null {
  for (const executablePath of paths) {
    const browser = runnable({ executablePath });
    if (browser) return browser;
  }
  return null;
}

/** Chromium's sandbox does not work for root. */
function sandboxArguments(): string[] {
  return process.getuid?.() === 0 ? ["--no-sandbox"] : [];
}

function systemPaths(): string[] {
  if (process.platform === "darwin") {
    return ["Google Chrome", "Chromium"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === "win32") {
    const roots = [
      process.env.PROGRAMFILES,
      process.env["PROGRAMFILES(X86)"],
      process.env.LOCALAPPDATA,
    ];
    return roots.flatMap((root) =>
      root ? [join(root, "Google/Chrome/Application/chrome.exe")] : [],
    );
  }
  const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function downloaded(): Candidate {
  const command = createRequire(import.meta.url).resolve("@playwright/test/cli");
  spawnSync(process.execPath, [command, "install", "chromium"], {
    stdio: "inherit",
    timeout: 600_000,
  });
  return { executablePath: chromium.executablePath() };
}

function fail(sentence: string): never {
  throw new Error(sentence);
}

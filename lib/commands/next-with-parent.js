// Next's command line, for a parent that holds a channel to it: however the parent ends, even by kill -9, the channel
// closes and Next does not live on alone. Plain JavaScript, because nothing compiles what Next itself runs in.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

process.on("disconnect", () => process.exit(1));
if (process.argv[2] === "start" && process.env.GROVE_DATA_DIR)
  keepCompiled(join(process.env.GROVE_DATA_DIR, "compile-cache"));
// A packed Grove has the server without the command line.
const server = resolve("server.js");
if (existsSync(server)) {
  const { values } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: "string", short: "p" },
      hostname: { type: "string", short: "H" },
      keepAliveTimeout: { type: "string" },
    },
  });
  process.env.PORT = values.port;
  process.env.HOSTNAME = values.hostname;
  process.env.KEEP_ALIVE_TIMEOUT = values.keepAliveTimeout;
  await import(pathToFileURL(server).href);
} else await import("next/dist/bin/next");

/** What Node compiled for this build is kept beside the data, so that later starts take half the time. */
function keepCompiled(folder) {
  try {
    const build = readFileSync(resolve(".next/BUILD_ID"), "utf8");
    const mark = join(folder, "build");
    if (!existsSync(mark) || readFileSync(mark, "utf8") !== build) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      writeFileSync(mark, build);
    }
    enableCompileCache(folder);
    // It is written at the end; a process that is killed has none.
    setTimeout(flushCompileCache, 30_000).unref();
  } catch {
    // A folder that cannot be written: each start compiles anew.
  }
}

import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** Only root may mount a disk small enough to fill. */
export function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const mounted = spawnSync("sh", [
    "-c",
    "d=$(mktemp -d) && mount -t tmpfs none $d && umount $d; e=$?; rmdir $d; exit $e",
  ]);
  return mounted.status === 0;
}

/** Removed when the test ends. */
export async function smallDisk(megabytes: number) {
  const dataDir = await mkdtemp("/tmp/grove-disk-");
  await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=711`, "tmpfs", dataDir]);
  onTestFinished(async () => {
    await run("umount", ["-l", dataDir]);
    await rm(dataDir, { recursive: true });
  });
  const ballast = join(dataDir, "ballast");
  return {
    dataDir,
    clear: () => rm(ballast, { force: true }),
    async fill() {
      const { bavail, bsize } = await statfs(dataDir);
      const file = await open(ballast, "w");
      await file.writeFile(Buffer.alloc(bavail * bsize)).catch(() => undefined);
      await file.close();
    },
  };
}

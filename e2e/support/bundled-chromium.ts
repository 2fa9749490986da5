import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";

const packed = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];

/** The package's own names folders of a server. Without any font, Chromium often refuses those of a page, too. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const manifest = z.object({ version: z.string() });

/**
 * The Chromium of the npm package `@sparticuz/chromium`, unpacked once; `null` where it cannot run.
 *
 * It comes with the few libraries that a machine without any desktop lacks, and with a font.
 */
export async function bundledChromium(): Promise<{
  executablePath: string;
  env: Record<string, string>;
} | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const root = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
  const { version } = manifest.parse(
    JSON.parse(await readFile(join(root, "package.json"), "utf8")),
  );
  const folder = join(process.cwd(), "node_modules/.cache/grove", `chromium-${version}`);
  if (!existsSync(folder)) await unpack(join(root, "bin"), folder);
  const hasFonts = existsSync("/etc/fonts/fonts.conf");
  return {
    executablePath: join(folder, "chromium"),
    env: {
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      ...(hasFonts ? {} : { FONTCONFIG_PATH: join(folder, "fonts") }),
    },
  };
}

async function unpack(from: string, folder: string): Promise<void> {
  const { inflate } = await import("@sparticuz/chromium");
  await mkdir(dirname(folder), { recursive: true });
  const partial = await mkdtemp(`${folder}.new-`);
  const { TMPDIR } = process.env;
  // The package knows no other target than the temporary folder, where another version may already lie.
  process.env.TMPDIR = partial;
  try {
    await Promise.all(packed.map((name) => inflate(join(from, name))));
    await writeFile(join(partial, "fonts/fonts.conf"), fontSettings);
    await rename(partial, folder);
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(folder)) throw error;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await rm(partial, { recursive: true, force: true });
  }
}

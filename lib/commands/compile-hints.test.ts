import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hint, hintCompilation } from "./compile-hints";

test("begins each script with the hint, once, but not large libraries or other files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "grove-hints-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const large = "x".repeat(300_001);
  await mkdir(join(folder, "below"));
  await writeFile(join(folder, "a.js"), '"use strict";é()');
  await writeFile(join(folder, "below", "b.js"), "b()");
  await writeFile(join(folder, "c.css"), "c {}");
  await writeFile(join(folder, "d.js"), large);
  await hintCompilation(folder);
  await hintCompilation(folder);
  const read = (name: string) => readFile(join(folder, name), "utf8");
  expect(await read("a.js")).toBe(`${hint}"use strict";é()`);
  expect(await read("below/b.js")).toBe(`${hint}b()`);
  expect(await read("c.css")).toBe("c {}");
  expect(await read("d.js")).toBe(large);
});

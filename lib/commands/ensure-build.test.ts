import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ensureBuild, sourceHash } from "./ensure-build";

test("changes with any source, name or lockfile, and not with a test", async () => {
  const project = await projectWith({ "app/page.tsx": "a", "package-lock.json": "{}" });
  const before = await sourceHash(project);

  await writeFile(join(project, "app/page.test.ts"), "test");
  await mkdir(join(project, "lib/server/testing"), { recursive: true });
  await writeFile(join(project, "lib/server/testing/people.ts"), "test");
  expect(await sourceHash(project)).toBe(before);

  await writeFile(join(project, "app/page.tsx"), "b");
  const edited = await sourceHash(project);
  await writeFile(join(project, "package-lock.json"), "{ }");
  const updated = await sourceHash(project);
  await writeFile(join(project, "app/other.tsx"), "");
  const added = await sourceHash(project);
  expect(new Set([before, edited, updated, added]).size).toBe(4);
});

test("builds nothing after Ctrl+C", async () => {
  const projectDir = await projectWith({ "app/page.tsx": "export default () => null" });
  const signal = AbortSignal.abort();
  await ensureBuild({ projectDir, environment: process.env, signal, say: () => undefined });
  expect(await readdir(projectDir)).toEqual(["app"]);
});

async function projectWith(sources: Record<string, string>): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "grove-hash-"));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  await mkdir(join(project, "app"));
  for (const [path, text] of Object.entries(sources)) await writeFile(join(project, path), text);
  return project;
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadEnvironment } from "./load-environment";

test("the process' own variables win over .env.local, and that over .env", async () => {
  const project = await projectWith({
    ".env": "A=file\nB=file\nC='file #1'\n",
    ".env.local": "A=local\nB=local\n",
  });
  expect(loadEnvironment(project, { A: "own" })).toEqual({ A: "own", B: "local", C: "file #1" });
});

test("NODE_ENV is never taken from a file", async () => {
  const project = await projectWith({ ".env": "NODE_ENV=development\nPORT=1\n" });
  expect(loadEnvironment(project, {})).toEqual({ PORT: "1" });
});

test("no file is needed", async () => {
  expect(loadEnvironment(await projectWith({}), { A: "own" })).toEqual({ A: "own" });
});

async function projectWith(files: Record<string, string>): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "grove-env-"));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  return project;
}

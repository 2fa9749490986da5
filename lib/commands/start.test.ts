import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "@/lib/commands/testing/grove-process";

test("Grove does not start on an address that other machines reach", { tags: "long" }, async () => {
  expect(await start({ HOST: "0.0.0.0" })).toEqual({
    code: 1,
    said: expect.stringMatching(/^HOST=0\.0\.0\.0 .*there are no accounts/),
  });
});

test("Grove does not start on a port that is in use, and touches no database", {
  tags: "long",
}, async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const dataDir = join(await temporaryFolder(), "data");

  expect(await start({ PORT: String(port), GROVE_DATA_DIR: dataDir })).toEqual({
    code: 1,
    said: expect.stringMatching(new RegExp(`^Port ${port} is already in use`)),
  });
  expect(existsSync(dataDir)).toBe(false);
});

test.each([
  ["a file", join(import.meta.dirname, "start.ts")],
  ["a folder under a file", join(import.meta.dirname, "start.ts", "data")],
])(
  "Grove does not start with %s for a data folder, and says whose it should be",
  { tags: "long" },
  async (_, dataDir) => {
    const { code, said } = await start({ PORT: String(await freePort()), GROVE_DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(said).toContain(`cannot write to ${dataDir}, where Grove keeps its data`);
    expect(said).not.toContain("    at ");
  },
);

test("Grove does not start without the Postgres that DATABASE_URL names, and keeps its password to itself", {
  tags: "long",
}, async () => {
  const { code, said } = await start({
    PORT: String(await freePort()),
    DATABASE_URL: "postgres://me:secret@127.0.0.1:1/grove",
  });
  expect(code).toBe(1);
  expect(said).toMatch(
    /^The Postgres that DATABASE_URL names \(127\.0\.0\.1:1\/grove\) cannot be used/,
  );
  expect(said).not.toContain("secret");
});

function start(environment: Record<string, string>): Promise<{ code: number; said: string }> {
  const args = ["--import", "tsx", "lib/commands/start.ts"];
  const unset = { DATABASE_URL: "", HOST: "", PORT: "", GROVE_DATA_DIR: "" };
  return new Promise((done) => {
    const env = { ...process.env, ...unset, ...environment };
    const child = execFile(process.execPath, args, { env }, (_, __, said) => {
      done({ code: child.exitCode ?? -1, said });
    });
  });
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "grove-start-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

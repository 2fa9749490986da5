import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase } from "@/lib/postgres/testing/test-database";
import { ConfiguredServer, configuredServers } from "./configured-servers";
import { toolsOfServers } from "./testing/tools-of-servers";

const key = "the-key-of-the-program-42";

/** A program that ends at once until it `mayStart`. */
async function lateServer(pausesMs: readonly number[]) {
  const folder = await mkdtemp(join(tmpdir(), "grove-late-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  vi.stubEnv("SSL_CERT_FILE", "/etc/office.pem");
  onTestFinished(() => void vi.unstubAllEnvs());
  const ready = join(folder, "ready");
  const failed = Promise.withResolvers<void>();
  const args = ["lib/chat/mcp-client/testing/old-process.ts"];
  const env = { WAITS_FOR: ready, API_KEY: key };
  const command = { command: "node", args, env };
  const server = new ConfiguredServer(
    { name: "Late", prefix: "late", command },
    () => failed.resolve(),
    { pausesMs },
  );
  await failed.promise;
  return { server, mayStart: () => writeFile(ready, "") };
}

test("a program that fails says what it wrote, without its key, and is tried again", {
  tags: "long",
}, async () => {
  const { server, mayStart } = await lateServer([1]);
  expect(server.problem).toBe("“Late” ended before it answered.");
  expect(server.lastLines).toEqual([
    "The key is [hidden], certificates are in /etc/office.pem",
    "Not ready yet",
  ]);
  await mayStart();
  await vi.waitUntil(() => server.listed().length > 0, { timeout: 30_000 });
  expect(server.problem).toBeNull();
  expect(server.lastLines).toEqual([]);
});

test("a program that fails is read again when the person asks", { tags: "long" }, async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { server, mayStart } = await lateServer([]);
  const { toolServers } = newOwner(database.sql, "owner", {
    configuredServers: async () => [server],
  });
  const failed = await toolServers.view();
  expect(failed.servers[0]).toMatchObject({ name: "Late", lastLines: server.lastLines });
  await mayStart();
  const view = await toolServers.read(server.id);
  expect(toolsOfServers(view).map(({ name }) => name)).toEqual(["late__weather"]);
});

test("a program that is not installed is named", async () => {
  const command = { command: "grove-no-such-program", args: [], env: {} };
  const server = new ConfiguredServer({ name: "Gone", prefix: "gone", command }, () => undefined, {
    pausesMs: [],
  });
  await server.ready;
  expect(server.problem).toBe("The program of “Gone” was not found.");
});

test("a program starts in the folder that its entry names", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "grove-cwd-")));
  onTestFinished(() => rm(folder, { recursive: true }));
  const args = ["-e", "console.error(process.cwd())"];
  const config = join(folder, "servers.json");
  await writeFile(
    config,
    JSON.stringify({ mcpServers: { here: { command: "node", args, cwd: folder } } }),
  );
  const [server] = configuredServers(config, () => undefined);
  await server?.ready;
  server?.end();
  expect(server?.lastLines).toEqual([folder]);
});

test("a key among the arguments is hidden", async () => {
  const args = ["--api-key", key, "--token=another-secret-7", "--folder", "/home/me"];
  const server = new ConfiguredServer(
    { name: "Arguments", prefix: "arguments", command: { command: "true", args, env: {} } },
    () => undefined,
    { pausesMs: [] },
  );
  await server.ready;
  expect(server.hide(args.join(" "))).toBe("--api-key [hidden] --token=[hidden] --folder /home/me");
});

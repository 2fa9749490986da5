import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** Returns `null` where `redis-server` is not installed. */
export function redisVersion(): string | null {
  const { stdout } = spawnSync("redis-server", ["--version"], { encoding: "utf8" });
  return /v=([\d.]+)/.exec(stdout ?? "")?.[1] ?? null;
}

/** Returns what ends it. A test begins it: without one, nothing would end it, and its worker would wait for it. */
export async function startRedis(port: number): Promise<() => Promise<void>> {
  const child = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await untilReady(child);
  return () =>
    new Promise((done) => {
      child.once("exit", () => done());
      child.kill();
    });
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    let output = "";
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`redis-server ended with ${code}: ${output}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Ready to accept connections")) done();
    });
  });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

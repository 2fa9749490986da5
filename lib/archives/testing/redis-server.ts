import { type ChildProcess, spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

export interface RedisServer {
  readonly port: number;
  readonly version: string;
  stop(): Promise<void>;
}

/** Starts `redis-server` without files; `null` where it is not installed. */
export async function startRedis(): Promise<RedisServer | null> {
  const port = await freePort();
  const child = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const output = await readyOutput(child);
  if (output === null) return null;
  const [, version = "unknown"] = /version=([\d.]+)/.exec(output) ?? [];
  return {
    port,
    version,
    stop: () =>
      new Promise((done) => {
        child.once("exit", () => done());
        child.kill();
      }),
  };
}

function readyOutput(child: ChildProcess): Promise<string | null> {
  return new Promise((done, fail) => {
    let output = "";
    child.once("error", (error) => {
      if ("code" in error && error.code === "ENOENT") done(null);
      else fail(error);
    });
    child.once("exit", (code) => fail(new Error(`redis-server ended with ${code}: ${output}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Ready to accept connections")) done(output);
    });
  });
}

/** A closed port, as of a server that is down, or is about to start. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

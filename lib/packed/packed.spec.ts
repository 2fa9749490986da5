import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { callApi, chunksOf, freePort } from "@/lib/commands/testing/grove-process";
import packageJson from "@/package.json" with { type: "json" };

// The folder of the image, made and run as there: `npm run test:packed`.
const longestMs = 600_000;
const limitMegabytes = 450;
/** Of debian:trixie-slim, and of tini with the libraries of Node. */
const baseMegabytes = 79 + 4;
const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

const folder = join(tmpdir(), `grove-packed-${process.pid}`);
const app = join(folder, "app");
const data = join(folder, "data");

beforeAll(async () => {
  await mkdir(data, { recursive: true });
  await promisify(execFile)("sh", ["docker/build.sh", app]);
  if (isRoot) await chown(data, nobody.uid, nobody.gid);
  await promisify(execFile)("chmod", ["-R", "a-w,a+rX", app]);
}, longestMs);

afterAll(async () => {
  await promisify(execFile)("chmod", ["-R", "u+w", app]);
  await rm(folder, { recursive: true, force: true });
});

interface Packed {
  readonly address: string;
  readonly port: number;
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

/** As another user than the one who owns the code, with no environment but the image's. */
async function start(): Promise<Packed> {
  const port = await freePort();
  const environment = { PORT: String(port), GROVE_DEMO_DELAY_MS: "1" };
  return whenReady(run(["start"], environment), port);
}

async function whenReady(child: ReturnType<typeof run>, port: number): Promise<Packed> {
  const startedAt = performance.now();
  let said = "";
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("Grove is ready at")) ready.resolve();
    });
  }
  child.once("exit", () => ready.reject(new Error(`Grove did not start:\n${said}`)));
  await ready.promise;
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    readyAfterMs: performance.now() - startedAt,
    async stop() {
      // Under npx Grove outlives its parent for a moment, and holds the pipes until it has ended.
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function run(args: string[], environment: Record<string, string> = {}) {
  return spawn(process.execPath, [join(app, "lib/commands/grove.js"), ...args], {
    cwd: data,
    ...(isRoot && nobody),
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...imageEnvironment, NODE_ENV: "production", GROVE_DATA_DIR: data, ...environment },
  });
}

const imageEnvironment = {
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  GROVE_DISCOVER_LOCAL: "0",
};

/** As the image asks, from inside. */
async function healthCheck({ port }: Packed): Promise<number | null> {
  const dockerfile = await readFile("docker/Dockerfile", "utf8");
  const [, command = "[]"] = /HEALTHCHECK[^[]*CMD (\[.*\])/.exec(dockerfile) ?? [];
  const [, ...args] = z.array(z.string()).parse(JSON.parse(command));
  const child = spawn(process.execPath, args, {
    env: { NODE_ENV: "production", PORT: String(port) },
  });
  const [code] = await once(child, "exit");
  return code;
}

async function megabytesOf(path: string): Promise<number> {
  const { stdout } = await promisify(execFile)("du", ["-sm", "--apparent-size", path]);
  return Number.parseInt(stdout, 10);
}

test("the image has at most 450 MB", async () => {
  const { size } = await stat(process.execPath);
  const megabytes = baseMegabytes + size / 1e6 + (await megabytesOf(app));
  expect(megabytes).toBeLessThan(limitMegabytes);
});

test("holds no sources, tests or tools", async () => {
  const names = await readdir(app, { recursive: true });
  const own = names.filter((name) => !name.startsWith("node_modules/"));
  expect(own.filter((name) => /\.(tsx?|test\.js|spec\.js)$/.test(name))).toEqual([]);
});

async function converse({ address }: Packed): Promise<void> {
  const id = crypto.randomUUID();
  const session = `${address}/api/sessions/${id}`;
  await callApi(`${session}/messages`, {
    method: "POST",
    body: {
      id: `${id}-q`,
      answerId: `${id}-a`,
      parts: [{ type: "text", text: "Tell me about gardens." }],
      newSession: {},
    },
    answer: z.unknown(),
  });
  const types: string[] = [];
  for await (const { type } of chunksOf(`${session}/runs/${id}-a/stream`)) types.push(type);
  expect(types).toContain("finish");
}

async function upload(url: string, type: string, body: BodyInit): Promise<unknown> {
  const response = await fetch(url, { method: "POST", headers: { "Content-Type": type }, body });
  expect(response.status).toBeLessThan(300);
  return response.json();
}

test(
  "starts read-only and as nobody, answers, reads a document, imports, and backs up",
  async () => {
    const grove = await start();
    const { address } = grove;
    try {
      expect(await healthCheck(grove)).toBe(0);
      await converse(grove);
      const report = new Uint8Array(await readFile("lib/files/fixtures/report.pdf"));
      const read = await upload(
        `${address}/api/files?name=report.pdf`,
        "application/octet-stream",
        report,
      );
      expect(read).toMatchObject({ mediaType: "application/pdf", sha256: expect.any(String) });
      // Read after it was stored.
      const { sha256 } = read as { sha256: string };
      await expect
        .poll(async () => (await fetch(`${address}/api/files/${sha256}/facts`)).json())
        .toMatchObject({ pages: expect.any(Number) });
      const exported = await fetch(`${address}/api/export`);
      await upload(`${address}/api/import`, "application/x-ndjson", await exported.text());
      for (const path of ["/", "/preview/mermaid.js", "/api/about", "/api/assistants", "/icon.svg"])
        expect([path, (await fetch(`${address}${path}`)).status]).toEqual([path, 200]);
    } finally {
      await grove.stop();
    }
    expect(await healthCheck(grove)).toBe(1);
    const backup = run(["backup"]);
    const [code] = await once(backup, "exit");
    expect(code).toBe(0);
  },
  longestMs,
);

// Seconds are for a quiet machine: `docs/performance.md` has them.
test(
  "starts again on what it left, and says after how long",
  async () => {
    const grove = await start();
    try {
      const answer = z.object({ sessions: z.array(z.unknown()) });
      const { sessions } = await callApi(`${grove.address}/api/sessions`, { answer });
      expect(sessions.length).toBeGreaterThan(0);
      console.info(`Ready after ${Math.round(grove.readyAfterMs)} ms.`);
    } finally {
      await grove.stop();
    }
  },
  longestMs,
);

test(
  "starts with npx where it was never installed, with nothing to compile",
  async () => {
    const elsewhere = join(folder, "elsewhere");
    await mkdir(elsewhere);
    const tarball = resolve(`dist/grove-${packageJson.version}.tgz`);
    const port = await freePort();
    const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball];
    await promisify(execFile)("npm", install, { cwd: elsewhere });
    const child = spawn("npx", ["--no-install", "grove"], {
      cwd: elsewhere,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...imageEnvironment, NODE_ENV: "production", PORT: String(port) },
    });
    const grove = await whenReady(child, port);
    try {
      await converse(grove);
      expect(await readdir(join(elsewhere, ".grove"))).toContain("postgres");
    } finally {
      await grove.stop();
    }
  },
  longestMs,
);

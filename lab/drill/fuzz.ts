import { readFile } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { type GroveProcess, memoryOf, withGrove } from "@/lib/commands/testing/grove-process";
import { hostileTexts } from "@/lib/text/testing/hostile-texts";
import { Random } from "@/lib/text/testing/random";
import type { Drill, DrillOptions, DrillResult } from "./drill";

const clients = 8;
const answerWithinMs = 30_000;
const mostMegabytes = 1_000;

export const fuzz: Drill = {
  name: "fuzz",
  promise: "No request makes the server fail, and none writes without passing the guard.",
  unit: "requests",
  fullCount: 100_000,
  run: (options) => withGrove((grove) => fuzzAll(grove, options), { GROVE_DEMO_DELAY_MS: "0" }),
};

interface FuzzedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The guard must refuse it, except that another site may link to a page. */
  readonly foreign: "host" | "site" | null;
}

async function fuzzAll(
  grove: GroveProcess,
  { count, seed, signal, say }: DrillOptions,
): Promise<DrillResult> {
  const random = new Random(seed);
  const routes = await builtRoutes();
  const broken: string[] = [];
  const statuses = new Map<number, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const port = new URL(grove.address).port;
  let next = 0;
  let mostMemory = 0;
  const client = async () => {
    while (next < count && !signal.aborted && broken.length < 100) {
      const number = next++;
      const given = mutated(random, { routes, port });
      const status = await statusOf(given, { port, agent });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const problem = problemOf(given, status);
      if (problem) broken.push(`${problem}: ${JSON.stringify(given).slice(0, 400)}`);
      if (number % 5_000 === 4_999) {
        mostMemory = Math.max(mostMemory, (await memoryOf(grove.pid))?.app ?? 0);
        say(`${(number + 1).toLocaleString("en")} requests, ${Math.round(mostMemory)} MB`);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  mostMemory = Math.max(mostMemory, (await memoryOf(grove.pid))?.app ?? 0);
  if (mostMemory > mostMegabytes) broken.push(`The server took ${Math.round(mostMemory)} MB.`);
  const health = await fetch(`${grove.address}/api/health`).catch(() => null);
  if (!health?.ok) broken.push("The server is not healthy any more.");
  const sum = (from: number, to: number) =>
    [...statuses].reduce((all, [code, n]) => all + (code >= from && code < to ? n : 0), 0);
  return {
    broken,
    figures: {
      routes: routes.length,
      "answered 2xx": sum(200, 300),
      "answered 4xx": sum(400, 500),
      "answered 5xx": sum(500, 600),
      "without an answer": statuses.get(0) ?? 0,
      "memory (MB)": mostMemory,
    },
  };
}

const manifest = z.record(z.string(), z.string());

async function builtRoutes(): Promise<[string, ...string[]]> {
  const path = join(process.cwd(), ".next/app-path-routes-manifest.json");
  const routes = Object.values(manifest.parse(JSON.parse(await readFile(path, "utf8"))));
  // Next's page for a failure always has the status 500.
  const [first, ...others] = routes.filter((route) => route !== "/_global-error");
  if (first === undefined) throw new Error("The build has no routes.");
  return [first, ...others];
}

function problemOf({ method, foreign, target }: FuzzedRequest, status: number): string | null {
  if (status >= 500) return `Status ${status}`;
  if (status === 0) return method === "CONNECT" ? null : "No answer";
  const isPage = !/^\/(api|v1)\b/.test(target);
  // An orchestrator asks for them by any address; they say nothing of anybody.
  if (/^\/(live|ready)\b/.test(target)) return null;
  const isRead = ["GET", "HEAD"].includes(method);
  if (foreign === null || (foreign === "site" && isPage && isRead)) return null;
  return status < 300 ? `A foreign request was answered with ${status}` : null;
}

const wordsOf = (text: string) => text.split(/\s+/) as [string, ...string[]];
const methods = wordsOf("GET GET POST PUT PATCH DELETE HEAD OPTIONS TRACE PROPFIND");
const odd = [
  ...wordsOf("% %00 %ff %E0%A4%A ..%2f..%2fetc %252e __proto__ constructor null -1 1e999 😀"),
  ...wordsOf("%F0%9F%98%80 undefined NaN %ED%A0%80 ; summary-1"),
  ...["a".repeat(300), "'; drop table chat_message; --", "%0d%0aX: y", "[object Object]", "a b"],
] as const;
const values = [
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, "", " ", "a", "\0", "\ud800", "x".repeat(5_000)],
  ...["on", "text", [], {}, [[]], [null], { type: "text", text: "a" }],
  ...[[{ type: "text", text: "a\0" }], [{ type: "file" }]],
] as const;
const fields = wordsOf(
  `id parts parentId expectedLeaf model generate answerId newSession title tags pinned label content expectedVersion
  ids subtree deletionId messageId from to summary key action description kind scope writers maxTokens confirm provider
  name baseUrl apiKey memoryMode defaultModel modelOverrides activeLeafId __proto__`,
);
const hosts = [
  ...wordsOf("evil.example 127.0.0.1 127.0.0.1:1 localhost.evil.example [::1]@evil.example"),
  "",
] as const;
const origins = wordsOf("http://evil.example null https://127.0.0.1 file:// http://localhost:1");
const types = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-7",
  "application/x-ndjson",
  "",
  "json",
] as const;
const hostile = Object.values(hostileTexts);

function mutated(
  random: Random,
  { routes, port }: { routes: readonly [string, ...string[]]; port: string },
): FuzzedRequest {
  const chance = (share: number) => random.next() < share;
  const method = random.of<string>(methods);
  const foreignHost = chance(0.1);
  const foreignOrigin = chance(0.1);
  const headers: Record<string, string> = {
    host: foreignHost ? random.of<string>(hosts) : `127.0.0.1:${port}`,
    "content-type": chance(0.15) ? random.of<string>(types) : "application/json",
    ...(foreignOrigin && { origin: random.of<string>(origins) }),
    ...(chance(0.05) && { "sec-fetch-site": random.of(["cross-site", "same-site", "none", "x"]) }),
    ...(chance(0.05) && { "x-grove-tab": random.of<string>(odd).replace(/[^ -~]/g, "?") }),
    ...(chance(0.05) && { "accept-encoding": "x", range: "bytes=0-1", "if-none-match": "*" }),
    ...(chance(0.03) && { rsc: "1", "next-router-prefetch": "1", "next-action": "x" }),
    ...(chance(0.02) && { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" }),
  };
  const isFromElsewhere =
    foreignOrigin || ["cross-site", "same-site", "x"].includes(headers["sec-fetch-site"] ?? "");
  const foreign = foreignHost ? "host" : isFromElsewhere ? "site" : null;
  const body = ["GET", "HEAD", "TRACE", "OPTIONS"].includes(method) ? "" : bodyFor(random);
  return { method, target: targetFor(random, random.of(routes)), headers, body, foreign };
}

function targetFor(random: Random, route: string): string {
  const path = route.replace(/\[[^\]]+\]/g, () => {
    return random.next() < 0.5 ? `id-${random.below(5)}` : random.of<string>(odd);
  });
  const changed = random.next() < 0.1 ? `${path}/${random.of<string>(odd)}` : path;
  const names = wordsOf("session q leaf limit before after cursor left right from days tz as");
  const query = Array.from({ length: random.below(3) }, () => {
    const value =
      random.next() < 0.2
        ? encodeURIComponent(
            random.of<string>(["0", "-1", "1e9", "a", "\u202e", "\0", '"', "before:x -a"]),
          )
        : random.of<string>(odd);
    return `${random.of<string>(names)}=${value}`;
  });
  const target = query.length > 0 ? `${changed}?${query.join("&")}` : changed;
  // The bytes of a target are ASCII.
  return target.replace(/[^!-~]/gu, (character) =>
    character === " " ? "%20" : encodeURIComponent(character),
  );
}

function bodyFor(random: Random): string {
  const draw = random.next();
  if (draw < 0.05) return "";
  if (draw < 0.1) return random.of(["{", "null", "[]", '"a"', "{}}", '{"a":1e9999}', "\ufeff{}"]);
  if (draw < 0.13) return `${'{"a":'.repeat(random.below(3_000))}1`;
  if (draw < 0.16) return JSON.stringify({ parts: [{ type: "text", text: textFor(random) }] });
  const body = Object.fromEntries(
    Array.from({ length: random.below(6) }, () => [
      random.of<string>(fields),
      random.of<unknown>(values),
    ]),
  );
  return JSON.stringify(body);
}

function textFor(random: Random): string {
  const make = hostile[random.below(hostile.length)];
  return make ? make(1 + random.below(20_000)) : "";
}

/** `0` without an answer. */
function statusOf(
  given: FuzzedRequest,
  { port, agent, isFirst = true }: { port: string; agent: Agent; isFirst?: boolean },
): Promise<number> {
  const { method, target, headers, body } = given;
  return new Promise((done) => {
    const sent = httpRequest(
      {
        ...{ host: "127.0.0.1", port, method, path: target, headers, agent },
        // An empty `Host` is sent, too.
        ...{ setHost: false, timeout: answerWithinMs },
      },
      (response) => {
        done(response.statusCode ?? 0);
        // Event streams never end.
        if (response.headers["content-type"]?.startsWith("text/event-stream")) sent.destroy();
        else response.resume();
      },
    );
    sent.on("timeout", () => sent.destroy());
    sent.on("error", () => {
      // The server may have closed an idle connection at that moment.
      if (sent.reusedSocket && isFirst) done(statusOf(given, { port, agent, isFirst: false }));
      else done(0);
    });
    sent.end(body);
  });
}

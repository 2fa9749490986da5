import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { findChromium } from "@/e2e/support/chromium";
import { type AppServer, withSite } from "@/lab/drill/app-servers";
import type { SentBody } from "@/lab/drill/dialects/dialect";
import { startDialectServer } from "@/lab/drill/dialects/dialect-server";
import { dialectNamed } from "@/lab/drill/dialects/dialect-table";
import type { Drill, DrillOptions } from "@/lab/drill/drill";
import { callApi, freePort, withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import type { FakeAnswer } from "@/lib/llm/testing/fake-wires";
import { installPackages } from "./packages";

/** A question that calls a tool, and what its output holds. */
interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly holds: string;
}

/** Calls of one chat, in their order. */
type Chat = readonly Call[];

const page = "data:text/html,<title>Kept</title><button>A tab that stays</button>";

const chats: readonly Chat[] = [
  [
    { tool: "local_everything__echo", input: { message: "Grüße 🌳" }, holds: "Grüße 🌳" },
    { tool: "local_everything__get-sum", input: { a: 2, b: 40 }, holds: "42" },
    { tool: "local_everything__get-tiny-image", input: {}, holds: "image/png" },
    {
      tool: "local_everything__trigger-long-running-operation",
      input: { duration: 3, steps: 3 },
      holds: "completed",
    },
    {
      tool: "local_everything__get-structured-content",
      input: { location: "Chicago" },
      holds: "temp",
    },
  ],
  [
    {
      tool: "local_filesystem__write_file",
      input: { path: "notes.txt", content: "A line" },
      holds: "notes.txt",
    },
    { tool: "local_filesystem__read_text_file", input: { path: "notes.txt" }, holds: "A line" },
    { tool: "local_filesystem__list_directory", input: { path: "." }, holds: "notes.txt" },
  ],
  // Each call is approved first: the tab has to stay between them.
  [
    { tool: "local_playwright__browser_navigate", input: { url: page }, holds: "Kept" },
    { tool: "local_playwright__browser_snapshot", input: {}, holds: "A tab that stays" },
  ],
  [{ tool: "fastmcp__add", input: { a: 2, b: 40 }, holds: "42" }],
];

const packages = [
  "@modelcontextprotocol/server-everything@2026.8.31",
  "@modelcontextprotocol/server-filesystem@2026.8.31",
  "@playwright/mcp@0.0.83",
  "fastmcp@4.20.16",
  "zod@4",
];
const patienceMs = 120_000;

export const toolServers: Drill = {
  name: "tool-servers",
  promise:
    "MCP servers of others, as npm has them, answer calls in a chat, over their own output and over HTTP; one with a state keeps it over approvals.",
  unit: "chats",
  fullCount: chats.length,
  run: (options) =>
    withTemporaryFolder(async (folder) => {
      await installPackages(folder, packages, options);
      const config = join(folder, "servers.json");
      await writeFile(config, JSON.stringify({ mcpServers: await programs(folder) }));
      const models = await startDialectServer();
      const { baseUrl } = models.add({
        ...{ dialect: dialectNamed("OpenAI"), replies: [], models: ["m"], script: callTool },
      });
      const remote = await startFastMcp(folder);
      try {
        return await withSite(options, async (site) => {
          const app = await site.server({
            OPENAI_COMPATIBLE_BASE_URL: baseUrl,
            GROVE_MCP_CONFIG: config,
          });
          await offer(app, remote.url);
          const broken: string[] = [];
          for (let n = 0; n < options.count && !options.signal.aborted; n++)
            broken.push(...(await hold(app, chats[n % chats.length] ?? [], n, options)));
          return { broken, figures: { calls: chats.flat().length } };
        });
      } finally {
        remote.process.kill();
        await models.close();
      }
    }),
};

async function programs(folder: string): Promise<Record<string, unknown>> {
  const bin = (name: string) => join(folder, "node_modules/.bin", name);
  const { executablePath, env } = await findChromium();
  return {
    everything: { command: bin("mcp-server-everything"), args: ["stdio"] },
    filesystem: { command: bin("mcp-server-filesystem"), args: [folder], cwd: folder },
    playwright: {
      command: bin("playwright-mcp"),
      args: ["--headless", "--isolated", "--no-sandbox", "--executable-path", executablePath],
      env,
      cwd: folder,
    },
  };
}

async function startFastMcp(folder: string): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const program = [
    'import { FastMCP } from "fastmcp";',
    'import { z } from "zod";',
    'const server = new FastMCP({ name: "fastmcp", version: "1.0.0" });',
    "const parameters = z.object({ a: z.number(), b: z.number() });",
    'server.addTool({ name: "add", description: "Adds", parameters, execute: async ({ a, b }) => String(a + b) });',
    `await server.start({ transportType: "httpStream", httpStream: { port: ${port}, host: "127.0.0.1" } });`,
    'console.log("ready");',
  ].join("\n");
  await writeFile(join(folder, "server.mjs"), program);
  const child = spawn(process.execPath, ["server.mjs"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${port}/mcp`, process: child };
}

const listed = z.object({
  tools: z.array(z.object({ name: z.string() })),
  servers: z.array(z.looseObject({ name: z.string(), problem: z.string().nullable() })),
});

/** Adds the server with an address; all are offered once their tools are read. */
async function offer({ address }: AppServer, url: string): Promise<void> {
  await callApi(`${address}/api/tools/servers/fast`, {
    method: "PUT",
    body: { name: "fastmcp", url },
    answer: z.unknown(),
  });
  const wanted = [...new Set(chats.flat().map(({ tool }) => tool))];
  let seen: z.output<typeof listed> = { tools: [], servers: [] };
  const missing = () => `list their tools: ${JSON.stringify(seen)}`;
  await until(missing, async () => {
    seen = await callApi(`${address}/api/tools`, { answer: listed });
    const names = seen.tools.map(({ name }) => name);
    return wanted.every((name) => names.includes(name));
  });
  const policies = Object.fromEntries(
    wanted.map((name) => [name, name.startsWith("local_playwright") ? "ask" : "on"]),
  );
  const body = { policies };
  await callApi(`${address}/api/tools`, { method: "PATCH", body, answer: z.unknown() });
}

/** Calls the tool of the question, and looks for it first where not all are offered. */
async function* callTool({ messages, tools = [] }: SentBody, answer: FakeAnswer) {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const [, name = "", input = ""] = question.exec(String(messages[asked]?.content)) ?? [];
  const called = messages.slice(asked).flatMap(({ tool_calls: calls = [] }) => calls);
  const isOffered = tools.some((tool) => tool.function?.name === name);
  const made = { id: `call_${messages.length}` };
  if (isOffered && !called.some((call) => JSON.stringify(call).includes(`"${name}"`)))
    yield answer.call({ ...made, name, input });
  else if (!isOffered && called.length === 0)
    yield answer.call({ ...made, name: "find_tools", input: JSON.stringify({ query: name }) });
  else {
    yield answer.text(isOffered ? "Done." : "The tool is not offered.");
    yield answer.finish("stop");
    return;
  }
  yield answer.finish("tool-calls");
}

const question = /^Call (\S+) with (\{.*\})/;

const part = z.looseObject({
  type: z.string(),
  state: z.string().optional(),
  approval: z.looseObject({ id: z.string() }).optional(),
});
const transcript = z.object({
  entries: z.array(
    z.object({
      isWaiting: z.boolean().optional(),
      message: z.object({ id: z.string(), role: z.string(), parts: z.array(part) }),
    }),
  ),
  runs: z.array(z.unknown()),
});

async function hold(
  { address }: AppServer,
  chat: Chat,
  n: number,
  { say }: DrillOptions,
): Promise<string[]> {
  const session = `${address}/api/sessions/chat-${n}`;
  const broken: string[] = [];
  for (const [index, { tool, input, holds }] of chat.entries()) {
    const answerId = `answer-${n}-${index}`;
    await callApi(`${session}/messages`, {
      method: "POST",
      body: {
        ...{ id: `question-${n}-${index}`, answerId, model: "compatible:drill/m" },
        parts: [{ type: "text", text: `Call ${tool} with ${JSON.stringify(input)}` }],
        ...(index === 0 ? { newSession: {} } : { parentId: `answer-${n}-${index - 1}` }),
      },
      answer: z.unknown(),
    });
    const parts = await answered(session, answerId);
    const call = parts.findLast(({ state }) => state !== undefined && state !== "done");
    const text = JSON.stringify(call ?? parts);
    const isWhole = call?.state === "output-available" && text.includes(holds);
    say(`${tool}: ${isWhole ? "answers" : text.slice(0, 300)}`);
    if (!isWhole) broken.push(`${tool}: ${text.slice(0, 2_000)}`);
  }
  return broken;
}

/** Approves what waits, and returns the parts of the answer once it has ended. */
async function answered(session: string, answerId: string) {
  let parts: readonly z.output<typeof part>[] = [];
  await until(
    () => `end ${answerId}`,
    async () => {
      const { entries, runs } = await callApi(`${session}/transcript`, { answer: transcript });
      const entry = entries.find(({ message }) => message.id === answerId);
      parts = entry?.message.parts ?? [];
      const waiting = parts.find(({ state }) => state === "approval-requested")?.approval;
      if (entry?.isWaiting && waiting)
        await callApi(`${session}/messages/${answerId}/approvals/${waiting.id}`, {
          ...{ method: "POST", body: { decision: "approve" }, answer: z.unknown() },
        });
      return entry !== undefined && runs.length === 0 && !waiting;
    },
  );
  return parts;
}

async function until(what: () => string, isTrue: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - startedAt > patienceMs)
      throw new Error(`In ${patienceMs / 1_000} s they did not ${what()}.`);
    await delay(200);
  }
}

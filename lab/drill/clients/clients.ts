import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Locator } from "playwright";
import { z } from "zod";
import { withBrowser } from "@/lab/browser";
import { type AppServer, withSite } from "@/lab/drill/app-servers";
import type { SentBody } from "@/lab/drill/dialects/dialect";
import { startDialectServer } from "@/lab/drill/dialects/dialect-server";
import { dialectNamed } from "@/lab/drill/dialects/dialect-table";
import type { Drill, DrillOptions } from "@/lab/drill/drill";
import { callApi, withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import type { FakeAnswer } from "@/lib/llm/testing/fake-wires";
import type { Client } from "./client";
import { clients } from "./client-table";
import { installPackages } from "./packages";

const run = promisify(execFile);
const task = "Make a file made.txt with hi in it";
const making = "echo hi > made.txt";
/** Input of each program's shell, by the tool's name. */
const shells: Readonly<Record<string, unknown>> = {
  Bash: { command: making, description: "Make a file" },
  exec_command: { cmd: making },
  bash: { command: making, description: "Make a file" },
  run_shell_command: { command: making, is_background: false, description: "Make a file" },
  execute_command: { command: making, requires_approval: false },
  run_commands: { commands: [making] },
};
const searched = { query: "tree" };
const done = "The file is made.";
const model = "house";
/** A program that waits for nothing takes seconds. */
const patienceMs = 120_000;

export const clientPrograms: Drill = {
  name: "clients",
  promise:
    "Programs of others, as npm has them, do a task with a shell, and each task is one chat, by its own words. Others list Grove's tools over MCP.",
  unit: "tasks",
  fullCount: clients.length,
  run: (options) =>
    withTemporaryFolder(async (folder) => {
      await install(folder, options);
      const models = await startDialectServer();
      const { baseUrl } = models.add({
        ...{ dialect: dialectNamed("Azure"), replies: [], models: ["m"], script: askShell },
        usage: { input: 7, output: 3 },
      });
      try {
        return await withSite(options, async (site) => {
          const app = await site.server({ OPENAI_COMPATIBLE_BASE_URL: baseUrl });
          const broken: string[] = [];
          await withBrowser(async (browser) => {
            for (let n = 0; n < options.count && !options.signal.aborted; n++) {
              const client = clients[n % clients.length];
              const place = { app, folder, n, browser };
              if (client) broken.push(...(await attempt({ client, ...place }, options)));
            }
          });
          return { broken, figures: { programs: Math.min(options.count, clients.length) } };
        });
      } finally {
        await models.close();
      }
    }),
};

/** Packages of the table, and what some make of themselves after that. */
async function install(folder: string, options: DrillOptions): Promise<void> {
  await installPackages(
    folder,
    clients.flatMap((client) => client.packages),
    options,
  );
  for (const {
    packages: [name = ""],
    prepare,
  } of clients) {
    const root = join(folder, "node_modules", name.replace(/@[^@]*$/, ""));
    const script = prepare && join(root, prepare);
    if (script) await run(process.execPath, [script], { cwd: root, signal: options.signal });
  }
}

async function* askShell({ messages, tools = [] }: SentBody, answer: FakeAnswer) {
  const names = tools.flatMap((tool) => tool.function?.name ?? []);
  const shell = names.find((name) => name in shells);
  const search = names.find((name) => name.endsWith("search_chats"));
  const results = messages.filter(({ role }) => role === "tool").length;
  const [name, given] = search && results === 0 ? [search, searched] : [shell, shells[shell ?? ""]];
  if (name && results < (search ? 2 : 1)) {
    yield answer.call({ id: `call_${messages.length}`, name, input: JSON.stringify(given) });
    yield answer.finish("tool-calls");
    return;
  }
  yield answer.text(done);
  yield answer.finish("stop");
}

interface Attempt {
  readonly client: Client;
  readonly app: AppServer;
  readonly folder: string;
  readonly n: number;
  readonly browser: Browser;
}

const pictures = join("test-results", "clients");

/** Takes a picture of a program's chat, to be looked at. Returns what a person does not read in it. */
async function unread({ client, app, browser }: Attempt, sessionId: string): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  try {
    await page.goto(`${app.address}/s/${sessionId}`);
    const shown = [task, done, ...(client.asks ? [] : [making])];
    const main = page.getByRole("main");
    const found = await Promise.all(shown.map((words) => isShown(main.getByText(words).first())));
    await page.screenshot({ path: join(pictures, `${client.name}.png`) });
    return shown.filter((_, n) => !found[n]);
  } finally {
    await page.close();
  }
}

function isShown(element: Locator): Promise<boolean> {
  return element.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}

const made = z.object({ key: z.object({ id: z.string() }), secret: z.string() });
const listed = z.object({ sessions: z.array(z.object({ id: z.string(), title: z.string() })) });

/** Returns each way in which a program's task is not as promised. */
async function attempt(place: Attempt, { signal, say }: DrillOptions): Promise<string[]> {
  const { client, app, folder, n } = place;
  const { address } = app;
  const { name, command, start } = client;
  const ref = "compatible:drill/m";
  const { key, secret } = await callApi(`${address}/api/keys`, {
    method: "POST",
    body: {
      ...{ name: `${name} ${n}`, canWrite: true, usesMemory: false, models: null },
      mcp: client.mcp ? ["memory:read", "chats:search"] : [],
      ...{ monthlyLimit: null, keeps: "chats", aliases: { [model]: ref, "gpt-4o": ref } },
    },
    answer: made,
  });
  const home = join(folder, `home-${n}`);
  const { args, environment = {}, settings = {} } = start({ task, address, key: secret, model });
  await mkdir(home);
  for (const [path, setting] of Object.entries(settings)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    const text = typeof setting === "string" ? setting : JSON.stringify(setting);
    await writeFile(join(home, path), text);
  }
  const runs = command === "node" ? process.execPath : join(folder, "node_modules/.bin", command);
  const given = { PATH: process.env.PATH, HOME: home, ...environment };
  const env = { NODE_ENV: "production" as const, ...given };
  const before = client.before?.({ task, address, key: secret, model });
  if (before) await run(runs, [...before], { cwd: home, env, signal });
  const program = spawn(runs, args, {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
  });
  let said = "";
  for (const stream of [program.stdout, program.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-20_000)));
  const [code] = await once(program, "exit").catch((error: unknown) => [String(error)]);
  if (client.mcp === "lists") {
    const lists = said.includes(client.lists ?? "search_chats");
    say(`${name}: ${lists ? "lists the tools" : "lists nothing"}`);
    return code === 0 && lists ? [] : [`${name} ended with ${code}: ${said}`];
  }
  const file = await readFile(join(home, "made.txt"), "utf8").catch(() => null);
  const { sessions } = await callApi(`${address}/api/sessions?program=${key.id}`, {
    answer: listed,
  });
  const [first] = sessions.filter(({ title }) => title.includes("made.txt"));
  const transcript = first
    ? JSON.stringify(
        await callApi(`${address}/api/sessions/${first.id}/transcript`, { answer: z.unknown() }),
      )
    : "nothing";
  const searches = transcript.includes("search_chats") && !transcript.includes("output-error");
  const titles = sessions.map(({ title }) => title).filter((title) => title.includes("made.txt"));
  say(`${name}: ${sessions.map(({ title }) => `“${title}”`).join(", ")}`);
  const missing = first ? await unread(place, first.id) : [];
  return [
    ...missing.map((words) => `${name}'s chat does not show “${words}”.`),
    ...(code === 0 ? [] : [`${name} ended with ${code}: ${said}`]),
    ...(client.asks || file?.trim() === "hi" ? [] : [`${name} made no file: ${said}`]),
    ...(client.mcp !== "calls" || searches ? [] : [`${name} did not search: ${transcript}`]),
    ...(titles.length === 1 ? [] : [`${name} left ${titles.length} chats of its task.`]),
  ];
}

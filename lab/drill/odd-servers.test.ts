import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OwnerTool, ToolRun } from "@/lib/chat/core/tool-source";
import {
  type OddServer,
  type RunningServer,
  startOddServer,
} from "@/lib/chat/mcp-client/testing/odd-server";
import { oddServers } from "@/lib/chat/mcp-client/testing/server-table";
import { newOwner, plainSealer } from "@/lib/chat/testing/chat-fixture";
import { writeServerRequest } from "@/lib/chat/wire/tools";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import type { Random } from "@/lib/text/testing/random";
import { reshaped } from "@/lib/text/testing/reshaped";
import { depth, trySeeds } from "@/lib/text/testing/try-seeds";

const situations = ["call", "several at once", "again", "stop"] as const;
type Situation = (typeof situations)[number];

const matrix = oddServers.flatMap((odd, row) =>
  situations.map((situation, column) => ({ odd, situation, isSample: isSample(row, column) })),
);

/** Each server in one situation, some stopped, and none that waits for a timeout. */
const sample = matrix.filter((place) => place.isSample && !place.odd.expects?.isSlow);

function isSample(row: number, column: number): boolean {
  return row === 0 || column === row % 3 || (column === 3 && row % 8 === 0);
}

const endMs = 20_000;
/** A call that is never answered ends after a minute. */
const slowMs = 90_000;
const stoppedMs = 5_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** All at a depth, with those that wait for a timeout. */
const places = depth > 1 ? matrix : sample;

test.concurrent.each(places.map((place) => ({ ...place, name: place.odd.name })))(
  "a server of tools can be used as far as it can be understood: $name, $situation",
  async ({ odd, situation }) => {
    expect(await problemsOf({ odd, situation, random: null })).toEqual([]);
  },
);

test.runIf(depth > 1)("results in forms that no server has are read or named", () =>
  trySeeds(matrix.length, async (random) => {
    const place = matrix[random.below(matrix.length)];
    if (!place) throw new Error("There are no servers.");
    const { odd, situation } = place;
    expect(await problemsOf({ odd, situation, random }), `${odd.name}, ${situation}`).toEqual([]);
  }),
);

interface Place {
  readonly odd: OddServer;
  readonly situation: Situation;
  /** `null` for a server as documented. */
  readonly random: Random | null;
}

async function problemsOf({ odd, situation, random }: Place): Promise<string[]> {
  const words = `w${crypto.randomUUID().slice(0, 8)}`;
  const sent: string[] = [];
  const change = (result: unknown) => {
    const isChanged =
      random && typeof result === "object" && result !== null && random.next() < 0.7;
    const text = JSON.stringify(result);
    sent.push(isChanged ? reshaped(text, random) || "null" : text);
    return isChanged ? JSON.parse(sent.at(-1) ?? "null") : result;
  };
  const hung = situation === "stop" ? { refuse: hangs(odd) } : {};
  const server = await startOddServer({ ...odd, ...hung }, words, change);
  const owner = newOwner(database.sql, undefined, { sealer: plainSealer });
  try {
    const listed = await owner.toolServers.write(
      "s1",
      writeServerRequest.parse({ name: "S", url: server.url }),
    );
    const [view] = listed.servers;
    const { problem = null, leftOut = [] } = view ?? {};
    const names = listed.tools.flatMap(({ name, serverId }) => (serverId === "s1" ? [name] : []));
    const broken = random ? [] : listProblems(odd, { names, leftOut, problem });
    const tool = (await owner.tools.list()).find(({ tool: { name } }) => name === "s__go")?.tool;
    if (tool)
      broken.push(
        ...(await callProblems({ odd, situation, server, owner, tool, words, random, sent })),
      );
    broken.push(...[problem ?? "", ...leftOut].filter(isDump).map((it) => `It shows ${it}`));
    return broken;
  } finally {
    await server.close();
  }
}

const hangs =
  ({ refuse }: OddServer): OddServer["refuse"] =>
  (asked) =>
    asked.method === "tools/call" ? { end: "hang" } : (refuse?.(asked) ?? null);

function listProblems(
  { expects = {} }: OddServer,
  given: { names: readonly string[]; leftOut: readonly string[]; problem: string | null },
): string[] {
  const { tools = ["go"], leftOut = 0, problem } = expects;
  const { names, leftOut: named, problem: said } = given;
  const isListed =
    names.length === tools.length && tools.every((name, at) => names[at]?.includes(name));
  return [
    ...(isListed ? [] : [`Its tools are ${names.join()}.`]),
    ...(named.length === leftOut ? [] : [`It names ${named.join("; ") || "nothing"} as left out.`]),
    ...((problem ? problem.test(said ?? "") : said === null) ? [] : [`It says “${said}”.`]),
    ...names
      .filter((name) => !/^[\w-]{1,64}$/.test(name))
      .map((name) => `A model refuses ${name}.`),
  ];
}

interface Calling {
  readonly odd: OddServer;
  readonly situation: Situation;
  readonly server: RunningServer;
  readonly owner: OwnerServices;
  readonly tool: OwnerTool;
  readonly words: string;
  readonly random: Random | null;
  /** Results as they were sent. */
  readonly sent: readonly string[];
}

async function callProblems(given: Calling): Promise<string[]> {
  const { odd, situation, server, words, random, sent } = given;
  const stop = new AbortController();
  const most = odd.expects?.isSlow ? slowMs : endMs;
  const calls = situation === "several at once" ? 4 : 1;
  const run = toolRun();
  const all = Array.from({ length: calls }, () => called(given, { run, signal: stop.signal }));
  if (situation === "stop") void server.called.then(() => stop.abort());
  const ended = await within(Promise.all(all), situation === "stop" ? stoppedMs + endMs : most);
  if (ended === null) return [`It did not end within ${most / 1_000} s.`];
  const results = [...ended];
  if (situation === "again") {
    server.endSessions();
    const later = await within(called(given, { run, signal: stop.signal }), most);
    if (later === null) return ["It did not end after its sessions did."];
    results.push(later);
  }
  const closed = await within(run.close(), stoppedMs);
  const { sentence } = odd.expects ?? {};
  const isWordless = (result: string) => !result.includes(words) && !result.includes('"tools');
  const isRight = (text: string) => {
    if (situation === "stop") return text !== "";
    if (random) return text !== "" && (text !== nothing || sent.some(isWordless));
    return sentence ? sentence.test(text) : text.includes(words);
  };
  return [
    ...results
      .filter((text) => !isRight(text))
      .map((text) => `It answers “${text.slice(0, 300)}”.`),
    // A tool's own words may be a list of issues.
    ...results
      .filter((text) => !text.includes(words) && isDump(text))
      .map((text) => `It shows ${text.slice(0, 300)}`),
    ...(closed === null ? ["Its connection was not closed."] : []),
  ];
}

const nothing = "[The tool ended without an answer]";

/** Output as the model reads it, or the sentence of a failure. */
async function called(
  { tool }: Calling,
  { run, signal }: { run: ToolRun; signal: AbortSignal },
): Promise<string> {
  const made = tool.make(run);
  if (!made?.execute || !made.toModelOutput) return "The tool cannot be called.";
  try {
    let output: unknown = null;
    const options = {
      toolCallId: crypto.randomUUID(),
      messages: [],
      abortSignal: signal,
      context: {},
    };
    for await (const each of made.execute({}, options as never) as AsyncIterable<unknown>)
      output = each;
    const read = await made.toModelOutput({ toolCallId: "x", input: {}, output } as never);
    return String((read as { value: unknown }).value);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function toolRun(): ToolRun & { readonly close: () => Promise<true> } {
  const closers: (() => Promise<void> | void)[] = [];
  return {
    sessionId: "s",
    messageId: "m",
    model: { ref: "test/model", provider: "openai" } as ToolRun["model"],
    isAsked: false,
    ask: async () => ({ action: "decline" }),
    atEnd: (close) => void closers.push(close),
    close: async () => {
      await Promise.all(closers.map((close) => close()));
      return true;
    },
  };
}

async function within<Result>(work: Promise<Result>, mostMs: number): Promise<Result | null> {
  const over = new AbortController();
  const late = delay(mostMs, null, { ref: false, signal: over.signal }).catch(() => null);
  const first = await Promise.race([work, late]);
  over.abort();
  return first;
}

/** A list of a schema's issues, or the code of a library, is for no person. */
function isDump(text: string): boolean {
  return /invalid_type|invalid_union|ZodError|"path":|expected (string|object|array)|MCP error -?\d/i.test(
    text,
  );
}

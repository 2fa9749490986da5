import type { Sql } from "postgres";
import { Conversation, chatProcess, newOwner, textOf } from "@/lib/chat/testing/chat-fixture";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { demoSource } from "@/lib/demo/demo-model";
import { createModelRegistry, type ResolvedModel } from "@/lib/llm";
import { modelLimits } from "@/lib/llm/model-limits";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";
import {
  anyWire,
  type FaultCase,
  type FaultServer,
  healthy,
  startFaultServer,
} from "./fault-server";
import { allModelFaults } from "./model-fault-list";

const atOnce = 8;
const maxCharacters = 50_000;
/** Generous enough for a busy machine. */
const silentMs = 2_500;
const longestRunMs = 60_000;

const limits = {
  ...modelLimits({}),
  firstByteMs: silentMs,
  nextByteMs: silentMs,
  maxBytes: 4 * 2 ** 20,
  retryPauseMs: 5,
};

export const modelFaults: Drill = {
  name: "model-faults",
  promise:
    "Every fault of a provider ends the answer, keeps its text and is named; the chat goes on.",
  unit: "faults",
  fullCount: allModelFaults.length * 50,
  run: (options) => onDrillDatabase(({ patientSql: sql }) => runFaults(sql, options)),
};

/** Every fault comes once before it comes again after more text. */
export async function runFaults(
  sql: Sql,
  { count, seed, signal, say }: DrillOptions,
): Promise<DrillResult> {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const server = await startFaultServer();
  const broken: string[] = [];
  const figures = { "complete answers": 0, "failed answers": 0, retries: 0 };
  const took: number[] = [];
  let next = 0;
  const work = async () => {
    for (let n = next++; n < count && !signal.aborted; n = next++) {
      if (n > 0 && n % 200 === 0) say(`${n} of ${count}`);
      const startedAt = performance.now();
      const found = await provoke(sql, { server, faulty: caseOf(n, seed) });
      took.push(performance.now() - startedAt);
      broken.push(...found.broken);
      figures[found.isComplete ? "complete answers" : "failed answers"]++;
      figures.retries += found.retries;
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await server.close();
  }
  return { broken, figures: { ...figures, "longest (ms)": Math.max(...took) } };
}

function caseOf(n: number, seed: number): FaultCase {
  const fault = allModelFaults[n % allModelFaults.length] ?? healthy;
  const pieces = Math.floor(n / allModelFaults.length);
  return { fault, pieces, wire: anyWire(n + pieces + seed) };
}

async function provoke(
  sql: Sql,
  { server, faulty }: { server: FaultServer; faulty: FaultCase },
): Promise<{ broken: string[]; isComplete: boolean; retries: number }> {
  const { wire, fault, pieces } = faulty;
  const at = server.add(faulty);
  const chats = chatProcess({ maxCharacters });
  const owner = newOwner(sql);
  const conversation = new Conversation(owner, chats, await modelAt(at, faulty));
  const answer = await withinTime(conversation.ask("Question"));
  const well = { wire, fault: healthy, pieces: 1 };
  const goingOn = new Conversation(
    owner,
    chats,
    await modelAt(server.add(well), well),
    conversation.sessionId,
  );
  const next = await withinTime(goingOn.ask("And then?"));
  const problems = [
    ...answerProblems(answer, { faulty, sent: server.sent(at) ?? "" }),
    ...(next && textOf(next) === "Wört 0 🌳 Fine." && next.metadata?.status === "complete"
      ? []
      : [`The chat does not go on: ${JSON.stringify(next?.metadata)}`]),
    ...chats.failures.map((failure) => `The server reports ${String(failure)}`),
  ];
  const place = `${fault.name} after ${pieces} pieces of ${wire.name}`;
  return {
    broken: problems.map((problem) => `${place}: ${problem}`),
    isComplete: answer?.metadata?.status === "complete",
    retries: Math.max(0, server.requests(at) - 1),
  };
}

function answerProblems(
  answer: GroveMessage | null,
  { faulty: { fault, pieces }, sent }: { faulty: FaultCase; sent: string },
): string[] {
  if (!answer) return [`The answer did not end within ${longestRunMs / 1_000} s.`];
  const { status, error } = answer.metadata ?? {};
  const text = textOf(answer);
  const isKept = fault.isEndless
    ? sent.startsWith(text) && text.length >= Math.min(sent.length, pieces)
    : text === sent;
  // Nothing came that a person could read.
  const codes = fault.codes.length === 0 && text === "" ? ["empty"] : fault.codes;
  const isTold =
    codes.length === 0
      ? status === "complete" && !error
      : status === "failed" && codes.includes(error?.code ?? "") && error?.message !== "";
  return [
    ...(isKept ? [] : [`${sent.length} characters were sent, ${text.length} are stored.`]),
    ...(isTold ? [] : [`It is named ${status} ${JSON.stringify(error)}.`]),
  ];
}

async function modelAt(baseUrl: string, { wire }: FaultCase): Promise<ResolvedModel> {
  const { kind: provider, api } = wire.provider;
  if (provider === "local") throw new Error("A local server is no provider of the settings.");
  const settings = {
    provider,
    name: "test",
    baseUrl,
    apiKey: "sk-drill-1234567890",
    api,
    models: ["m"],
  };
  const registry = createModelRegistry({
    environment: { GROVE_DISCOVER_LOCAL: "0" },
    settings: { providers: [settings], overrides: {} },
    fallback: demoSource({}),
    limits,
  });
  const [info] = (await registry.listModels()).filter(({ isDemo }) => !isDemo);
  return registry.resolve(info?.ref ?? "");
}

async function withinTime<Value>(awaited: Promise<Value>): Promise<Value | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), longestRunMs);
  try {
    return await Promise.race([awaited, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

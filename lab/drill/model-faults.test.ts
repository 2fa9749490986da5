import { afterAll, beforeAll, expect, test } from "vitest";
import { Conversation, chatProcess, newOwner, textOf } from "@/lib/chat/testing/chat-fixture";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { demoSource } from "@/lib/demo/demo-model";
import { createModelRegistry, type ResolvedModel } from "@/lib/llm";
import { modelLimits } from "@/lib/llm/model-limits";
import { fakeWires } from "@/lib/llm/testing/fake-wires";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import {
  type FaultCase,
  type FaultServer,
  healthy,
  startFaultServer,
} from "./testing/fault-server";
import { allModelFaults } from "./testing/model-fault-list";

const maxCharacters = 50_000;
const mostPieces = 50;
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

let database: TestDatabase;
let server: FaultServer;

beforeAll(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  database = await createTestDatabase();
  server = await startFaultServer();
});
afterAll(() => Promise.all([server.close(), database.drop()]));

test("every fault of a provider ends the answer, keeps its text and is named, and the chat goes on", () =>
  trySeeds(allModelFaults.length, async (random, seed) => {
    const fault = allModelFaults[seed % allModelFaults.length] ?? healthy;
    const wire = fakeWires[random.below(fakeWires.length)];
    if (!wire) throw new Error("There are no wires.");
    const faulty = { fault, wire, pieces: random.below(mostPieces) };
    const place = `${fault.name} after ${faulty.pieces} pieces of ${wire.name}`;
    expect(await problemsOf(faulty), place).toEqual([]);
  }));

/** Asks a provider with the fault, then goes on with one that is well. */
async function problemsOf(faulty: FaultCase): Promise<string[]> {
  const at = server.add(faulty);
  const chats = chatProcess({ maxCharacters });
  const owner = newOwner(database.sql);
  const conversation = new Conversation(owner, chats, await modelAt(at, faulty));
  const answer = await withinTime(conversation.ask("Question"));
  const well = { wire: faulty.wire, fault: healthy, pieces: 1 };
  const model = await modelAt(server.add(well), well);
  const goingOn = new Conversation(owner, chats, model, conversation.sessionId);
  const next = await withinTime(goingOn.ask("And then?"));
  const isWell = next && textOf(next) === "Wört 0 🌳 Fine." && next.metadata?.status === "complete";
  return [
    ...answerProblems(answer, { faulty, sent: server.sent(at) ?? "" }),
    ...(isWell ? [] : [`The chat does not go on: ${JSON.stringify(next?.metadata)}`]),
    ...chats.failures.map((failure) => `The server reports ${String(failure)}`),
  ];
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

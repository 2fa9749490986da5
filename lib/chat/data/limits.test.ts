import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Memory } from "@/lib/chat/memory/memory";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { changeCompactionRequest } from "@/lib/chat/wire/compaction";
import { addEntryRequest, createBlockRequest, writeBlockRequest } from "@/lib/chat/wire/memory";
import { changeMessageRequest } from "@/lib/chat/wire/messages";
import { changeSessionRequest } from "@/lib/chat/wire/sessions";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { uploadLines } from "@/lib/server/upload-lines";
import { admittedSession } from "./admitted-records";
import { exportEverything, importEverything } from "./portable-data";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Characters that take the most bytes, escapes or words. */
const units = ["a", "a ", "\u0001", "\u0000", '"', "\\", "😀", "\ud800", "\u2028", "漢", "ﷺ", "\n"];

/** A text as long as its limit allows, or one character shorter. */
const filled = (limit: number) =>
  fc
    .tuple(fc.constantFrom(...units), fc.nat(1))
    .map(([unit, less]) => `x${unit.repeat(limit)}`.slice(0, limit - less).replace(/\s$/, "x"));

const oneLine = (limit: number) => filled(limit).map((text) => text.replaceAll(/\s/g, "-"));

const account = fc.record({
  id: oneLine(200).map((text) => text.replaceAll(/[^!-~]/g, "i")),
  title: filled(200),
  tags: fc.array(oneLine(40), { minLength: 20, maxLength: 20 }),
  question: filled(200_000),
  answer: filled(1_000_000),
  output: filled(200_000),
  label: oneLine(80),
  summary: filled(100_000),
  block: filled(6_000),
  description: filled(300),
  entryTitle: oneLine(200),
  entryDescription: filled(1_024),
  entry: filled(200_000),
});

type Account = typeof account extends fc.Arbitrary<infer Value> ? Value : never;

/** Through the checks of Grove's own requests. */
async function fill(owner: OwnerServices, given: Account): Promise<void> {
  const { id, title, question, answer, output, label, summary } = given;
  const chat = new Conversation(owner, chatProcess(), resolvedModel(new ManualModel().model), id);
  await chat.send(question, { id, newSession: { title }, generate: false });
  const messages = owner.store.messages(id);
  const tags = given.tags.map((tag, n) => `${n}${tag}`);
  await owner.store.sessions.update(id, changeSessionRequest.parse({ tags }));
  const call = { type: "tool-search_context", toolCallId: id, state: "output-available" };
  const parts = [
    { type: "reasoning", text: output },
    { ...call, input: { query: output }, output: [output] },
    { type: "text", text: answer },
  ];
  const metadata = { status: "complete", runId: id, model: id };
  await messages.appendMessage({ id: `${id.slice(1)}a`, role: "assistant", parts, metadata });
  await messages.setLabel(id, changeMessageRequest.parse({ label }).label ?? null);
  await messages.addCompaction(changeCompactionRequest.parse({ summary }).summary, id, id, {});
  const memory = new Memory(owner, null);
  const block = { label: "b".repeat(40), description: given.description, maxTokens: 20_000 };
  const made = await memory.create(createBlockRequest.parse(block));
  await memory.write(made.id, writeBlockRequest.parse({ content: given.block }));
  const entry = { title: given.entryTitle, description: given.entryDescription };
  const [knowledge] = (await memory.list()).filter(({ kind }) => kind === "searchable");
  if (!knowledge) throw new Error("There is no knowledge.");
  await memory.addEntry(knowledge.id, addEntryRequest.parse({ ...entry, content: given.entry }));
}

async function exported(owner: OwnerServices): Promise<string> {
  return (await Array.fromAsync(await exportEverything(owner))).join("");
}

/** Without the header and the times of change. */
function compared(lines: string): string[] {
  const records = lines.split("\n").slice(1);
  const taken = records.map((line) =>
    line.startsWith('{"type":"session",')
      ? JSON.stringify(admittedSession(JSON.parse(line), "on"))
      : line,
  );
  return taken.map((line) => line.replace(/"updatedAt":"[^"]*"/, "")).toSorted();
}

test("Whatever Grove accepts and exports, at its limits, can be imported and exports the same", {
  tags: "long",
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(account, async (given) => {
      const [owner, copy] = [newOwner(database.sql), newOwner(database.sql)];
      await fill(owner, given);
      const lines = await exported(owner);
      const file = Readable.from([new TextEncoder().encode(lines)]);
      const report = await importEverything(copy, uploadLines(file), () => true);
      expect(report.problems).toEqual([]);
      expect(report.sessions).toMatchObject({ imported: 1, failed: 0 });
      expect(compared(await exported(copy))).toEqual(compared(lines));
    }),
    { numRuns: 2 * Number(process.env.GROVE_TEST_DEPTH ?? 1) },
  );
});

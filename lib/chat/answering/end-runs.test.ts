import { afterAll, beforeAll, expect, test } from "vitest";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
  textIn,
  textOf,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** An answer that has begun, in a process of its own. */
async function begun() {
  const model = new ManualModel();
  const conversation = new Conversation(
    newOwner(database.sql),
    chatProcess(),
    resolvedModel(model.model),
  );
  model.turn().say("Half an ");
  const { run } = await conversation.send("Question");
  const runId = run?.id ?? "";
  await conversation.readsUpTo(runId, "text-delta");
  return { model, conversation, runId, runner: conversation.process.runner };
}

test("A process that ends waits for the answers it writes", async () => {
  const { model, conversation, runId, runner } = await begun();
  const ending = runner.end({ drainMs: 60_000, storeMs: 0 });
  model.turn().say("answer").finish();
  expect(await ending).toBe(0);
  const answer = await conversation.message(runId);
  expect(textOf(answer)).toBe("Half an answer");
  expect(answer.metadata?.status).toBe("complete");
});

test("An answer that takes longer is marked as interrupted with its text, and its viewers receive the end", async () => {
  const { conversation, runId, runner } = await begun();
  const viewer = conversation.watch(runId);
  expect(await runner.end({ drainMs: 0, storeMs: 60_000 })).toBe(0);
  const answer = await conversation.message(runId);
  expect(textOf(answer)).toBe("Half an ");
  expect(answer.metadata).toMatchObject({ status: "interrupted" });
  expect(answer.metadata?.error).toBeUndefined();
  expect(await conversation.owner.runs.get(runId)).toMatchObject({ status: "interrupted" });
  const chunks = await viewer;
  expect(textIn(chunks)).toBe("Half an ");
  expect(chunks.at(-1)).toMatchObject({ messageMetadata: { status: "interrupted" } });
});

test("A process that ends begins no answer", async () => {
  const { conversation, runner } = await begun();
  const ending = runner.end({ drainMs: 0, storeMs: 60_000 });
  await expect(conversation.send("Another")).rejects.toMatchObject({ code: "shutting-down" });
  await ending;
});

test("An answer that somebody stopped is not marked as interrupted by the end of its process", async () => {
  const { conversation, runId, runner } = await begun();
  await runner.stop(conversation.owner, runId);
  await runner.end({ drainMs: 0, storeMs: 60_000 });
  expect((await conversation.message(runId)).metadata?.status).toBe("stopped");
});

test("A run whose row is gone ends for the model and for its viewers", async () => {
  const { model, conversation, runId } = await begun();
  const viewer = conversation.watch(runId);
  await database.sql`delete from chat_run where owner_id = ${conversation.owner.ownerId}`;
  expect(textIn(await viewer)).toBe("Half an ");
  expect(model.calls[0]?.abortSignal?.aborted).toBe(true);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import { openSession } from "@/lib/chat/sessions/open-session";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { demoModelInfo } from "@/lib/demo/demo-model";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { makeExample } from "./make-example";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("every answer of the example has a receipt of what stood before it", {
  tags: "long",
}, async () => {
  const owner = newOwner(database.sql);
  const { id } = await makeExample(owner, demoModelInfo);
  const messages = owner.store.messages(id);
  const [, summary] = await messages.getCompactions();
  const answers = (await messages.getTree()).filter(({ role }) => role === "assistant");
  expect(answers).toHaveLength(9);
  for (const { id: answerId, parentId } of answers) {
    const receipt = (await receiptOf(owner, id, answerId)) as ReceiptWire;
    const history = await messages.getHistory(parentId ?? "");
    expect(receipt.messages.map((message) => message.id)).toEqual(history.map((each) => each.id));
  }
  const last = (await receiptOf(owner, id, "example-a7")) as ReceiptWire;
  expect(last.messages.map((message) => message.id)).toContain(`compaction_${summary?.id}`);
  expect(last.prompt).toContain("Grows vegetables on a south-west balcony");
  expect(last).toMatchObject({ model: "demo/grove-demo", cost: 0, finishedAt: last.startedAt });
  expect(await owner.runs.running()).toEqual([]);
});

test("the example's prompt is frozen when it is first read, not when its receipts are made", {
  tags: "long",
}, async () => {
  const owner = newOwner(database.sql);
  const { id } = await makeExample(owner, demoModelInfo);
  await owner.blocks
    .text({ label: "memory", sessionId: null })
    .set("Likes owls.", { provenance: { author: "person" } });
  expect(await (await openSession(owner, id)).freezeSystemPrompt()).toContain("Likes owls.");
});

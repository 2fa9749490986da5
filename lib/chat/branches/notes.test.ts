import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import {
  Conversation,
  chatProcess,
  demoModel,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresUsage } from "@/lib/storage/runs/postgres-usage";
import { draftNote, noteSource, storeNote } from "./notes";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Two branches: the train, which ends in a detail, and the boat. */
async function twoBranches() {
  const resolved = await demoModel();
  const chat = new Conversation(newOwner(database.sql), chatProcess(), resolved);
  const start = await chat.say("We go to the sea.");
  const train = await chat.say("By train?", { parentId: start });
  const detail = await chat.say("The train leaves at nine.", { parentId: train });
  const boat = await chat.say("By boat?", { parentId: start });
  const { owner, sessionId } = chat;
  const tree = async () => (await owner.store.messages(sessionId).getTree()).map(({ id }) => id);
  return { chat, owner, sessionId, resolved, start, train, detail, boat, tree };
}

describe("bringing something along to another branch", () => {
  test("offers what is left behind, without what both branches share", async () => {
    const { owner, sessionId, start, train, detail, boat } = await twoBranches();
    const offered = async (from: string, to: string | null) =>
      (await noteSource(owner, sessionId, { from, to })).messages.map(({ id }) => id);
    expect(await offered(detail, boat)).toEqual([train, detail]);
    expect(await offered(detail, null)).toEqual([start, train, detail]);
    expect(await offered(start, boat)).toEqual([]);
  });

  test("stores picked messages word for word, in order, and the model reads them", {
    tags: "long",
  }, async () => {
    const { chat, owner, sessionId, train, detail, boat } = await twoBranches();
    const entry = await storeNote(owner, sessionId, {
      id: "note",
      kind: "messages",
      parentId: boat,
      from: detail,
      messageIds: [detail, train],
    });
    expect(entry).toMatchObject({ parentId: boat });
    expect(entry.message).toMatchObject({
      role: "user",
      metadata: { note: { kind: "messages", from: detail } },
    });
    expect(entry.message.parts[1]).toEqual({
      type: "text",
      text: "**I wrote:**\n\nBy train?\n\n**I wrote:**\n\nThe train leaves at nine.",
    });
    const answer = await chat.ask("So when do we leave?");
    const receipt = await receiptOf(owner, sessionId, answer.id);
    expect(JSON.stringify(receipt)).toContain("Carried over from another branch");
    expect((await owner.store.messages(sessionId).getHistory()).map(({ id }) => id)).toContain(
      "note",
    );
  });

  test("is stored once, and deleting it takes it back", async () => {
    const { owner, sessionId, detail, boat } = await twoBranches();
    const request = {
      id: "note",
      kind: "summary",
      parentId: boat,
      from: detail,
      text: "At nine.",
    } as const;
    await storeNote(owner, sessionId, request);
    await storeNote(owner, sessionId, request);
    const messages = owner.store.messages(sessionId);
    expect(await messages.getBranches(boat)).toHaveLength(1);
    await messages.deleteMessages(["note"]);
    expect((await messages.getLatestLeaf())?.id).toBe(boat);
  });

  test("drafts a summary, whose tokens count, without storing anything in the conversation", async () => {
    const { owner, sessionId, resolved, detail, boat, tree } = await twoBranches();
    const usage = new PostgresUsage(database.sql, owner.spaceId);
    const before = await tree();
    const draft = await draftNote(owner, sessionId, { from: detail, to: boat, resolved });
    expect(draft).toMatchObject({ model: "demo/grove-demo", messageCount: 2 });
    expect(draft.text).toContain("train");
    expect(draft.text).not.toContain("boat");
    expect(await tree()).toEqual(before);
    const sums = await usage.sums({ timeZone: "UTC", days: null });
    const summaries = sums.find(({ by, name }) => by === "kind" && name === "summary");
    expect(summaries?.inputTokens).toBeGreaterThan(20);
    expect(sums).toContainEqual(expect.objectContaining({ by: "session", name: sessionId }));
  });

  test("leaves everything as it was when the model fails", async () => {
    const { owner, sessionId, detail, boat, tree } = await twoBranches();
    const before = await tree();
    const model = new ManualModel();
    const resolved = resolvedModel(model.model);
    const drafting = draftNote(owner, sessionId, { from: detail, to: boat, resolved });
    const refused = expect(drafting).rejects.toMatchObject({ code: "summary-failed" });
    await model.turn().opened;
    model.turn().break(new Error("out of paper"));
    await refused;
    expect(await tree()).toEqual(before);
  });

  test("brings nothing that is not on the branch that is left", async () => {
    const { owner, sessionId, start, boat, detail, resolved } = await twoBranches();
    const place = { id: "note", parentId: boat, from: detail };
    const refusal = { code: "nothing-to-bring" };
    await expect(
      storeNote(owner, sessionId, { ...place, kind: "messages", messageIds: [start] }),
    ).rejects.toMatchObject(refusal);
    await expect(
      draftNote(owner, sessionId, { from: start, to: boat, resolved }),
    ).rejects.toMatchObject(refusal);
    const stranger = newOwner(database.sql);
    await expect(noteSource(stranger, sessionId, { from: detail, to: boat })).rejects.toMatchObject(
      { code: "session-not-found" },
    );
  });
});

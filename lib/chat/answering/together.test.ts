import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  answerVersions,
  goOnWithout,
  keepAnswer,
  replaceAsked,
} from "@/lib/chat/branches/keep-answer";
import { changeSession, forkSession } from "@/lib/chat/sessions/session-detail";
import { resolvedModel, textOf } from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { receiptOf } from "./answer-receipt";
import { decideProposal } from "./decide-call";
import { followTogether } from "./follow-together";
import { type Answering, answerMessage, sendMessage } from "./send-message";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const asked = [
  { answerId: "one", model: "test/one" },
  { answerId: "two", model: "test/two" },
];
const question = {
  id: "q",
  parts: [{ type: "text", text: "Which?" }],
  generate: true,
  newSession: {},
  together: asked,
};

/** A chat with a model of its own for each ref. */
function severalChat(refs: readonly string[] = ["test/one", "test/two"]) {
  const { conversation, owner, process } = manualChat(database.sql);
  const models = new Map(refs.map((ref) => [ref, new ManualModel()]));
  const chooseModel: Answering["chooseModel"] = async (ref) => {
    const manual = models.get(ref ?? "") ?? new ManualModel();
    return resolvedModel(manual.model, { ref: ref ?? "test/own" });
  };
  const answering = { owner, runner: process.runner, chooseModel };
  const { sessionId } = conversation;
  return { owner, process, conversation, models, answering, sessionId };
}

async function answered() {
  const chat = severalChat();
  for (const [ref, model] of chat.models) model.turn().say(ref).finish();
  const sent = await sendMessage(chat.answering, chat.sessionId, question);
  await Promise.all(asked.map(({ answerId }) => chat.process.ended(answerId)));
  return { ...chat, sent };
}

describe("a question to several models", () => {
  test("stores each answer as a child of the question, which names them", async () => {
    const { conversation, sent, owner, sessionId } = await answered();
    expect(sent.run?.messageId).toBe("one");
    expect(sent.others?.map(({ messageId }) => messageId)).toEqual(["two"]);
    expect((await conversation.message("q")).metadata?.together).toEqual(asked);
    expect(textOf(await conversation.message("one"))).toBe("test/one");
    expect(textOf(await conversation.message("two"))).toBe("test/two");
    const versions = await answerVersions(owner, { sessionId, messageId: "q" });
    expect(new Set(versions.map(({ model }) => model))).toEqual(new Set(["test/one", "test/two"]));
    expect((await owner.store.sessions.get(sessionId))?.model).toBeNull();
  });

  test("is stored once however often it is sent", async () => {
    const { answering, sessionId, owner } = await answered();
    const again = await sendMessage(answering, sessionId, question);
    expect([again.run?.id, ...(again.others ?? []).map(({ id }) => id)]).toEqual(["one", "two"]);
    expect(await answerVersions(owner, { sessionId, messageId: "q" })).toHaveLength(2);
  });

  test("goes on with the answer that is kept, and keeps the others as versions", async () => {
    const { owner, sessionId, conversation } = await answered();
    await keepAnswer(owner, { sessionId, messageId: "q", kept: "two" });
    expect((await owner.store.messages(sessionId).getLatestLeaf())?.id).toBe("two");
    expect((await conversation.message("q")).metadata).toEqual({ together: asked, kept: "two" });
    expect(await answerVersions(owner, { sessionId, messageId: "q" })).toHaveLength(2);
    await keepAnswer(owner, { sessionId, messageId: "q", kept: null });
    expect((await conversation.message("q")).metadata).toEqual({ together: asked });
  });

  test("keeps what two changes at the same moment say", async () => {
    const { owner, sessionId, conversation } = await answered();
    const place = { sessionId, messageId: "q" };
    await Promise.all([
      replaceAsked(owner, { ...place, replaces: "one", by: { answerId: "x", model: "test/x" } }),
      replaceAsked(owner, { ...place, replaces: "two", by: { answerId: "y", model: "test/y" } }),
      keepAnswer(owner, { ...place, kept: "two" }),
    ]);
    const { together, kept } = (await conversation.message("q")).metadata as GroveMetadata;
    expect(together?.map(({ answerId }) => answerId)).toEqual(["x", "y"]);
    expect(kept).toBe("two");
  });

  test("keeps none that it was not asked for", async () => {
    const { owner, sessionId } = await answered();
    const keeping = keepAnswer(owner, { sessionId, messageId: "q", kept: "elsewhere" });
    await expect(keeping).rejects.toThrow("was not asked for");
  });

  test("lets a new answer take the place of one, which stays as a version", async () => {
    const { owner, answering, sessionId, process, models, conversation } = await answered();
    models.get("test/one")?.turn(1).say("Better").finish();
    const request = { answerId: "three", parentId: "q", model: "test/one", replaces: "one" };
    await answerMessage(answering, sessionId, request);
    await process.ended("three");
    const { together } = (await conversation.message("q")).metadata as GroveMetadata;
    expect(together?.map(({ answerId }) => answerId)).toEqual(["three", "two"]);
    expect(await answerVersions(owner, { sessionId, messageId: "q" })).toHaveLength(3);
  });

  test("streams all answers over one connection", async () => {
    const { owner, process, sessionId } = await answered();
    const runs = ["one", "two", "unknown"].map((id) => ({ id, part: 0, after: 0 }));
    const { signal } = new AbortController();
    const { runner } = process;
    const followed = followTogether({ runner, owner, sessionId, runs, signal });
    const chunks = (await Array.fromAsync(followed)).flat();
    const textsOf = (id: string) =>
      chunks.map(({ run, chunk }) =>
        run === id && chunk?.type === "text-delta" ? chunk.delta : "",
      );
    expect(textsOf("one").join("")).toBe("test/one");
    expect(textsOf("two").join("")).toBe("test/two");
    const ended = chunks.filter(({ chunk }) => chunk === null).map(({ run }) => run);
    expect(ended.toSorted()).toEqual(["one", "two", "unknown"]);
  });

  const activeLeaf = async ({ owner, sessionId }: ReturnType<typeof severalChat>) =>
    (await owner.store.messages(sessionId).getLatestLeaf())?.id;

  test("goes on with the first that finishes, never with one that failed before it", async () => {
    const chat = severalChat();
    const [failing, finishing] = [...chat.models.values()].map((model) => model.turn());
    await sendMessage(chat.answering, chat.sessionId, question);
    failing?.break(new Error("down"));
    await chat.process.ended("one");
    expect(await activeLeaf(chat)).toBe("q");
    finishing?.say("Here").finish();
    await chat.process.ended("two");
    expect(await activeLeaf(chat)).toBe("two");
  });

  test("stays with one that finished, though another fails after it", async () => {
    const chat = severalChat();
    const [failing, finishing] = [...chat.models.values()].map((model) => model.turn());
    await sendMessage(chat.answering, chat.sessionId, question);
    finishing?.say("Here").finish();
    await chat.process.ended("two");
    failing?.break(new Error("down"));
    await chat.process.ended("one");
    expect(await activeLeaf(chat)).toBe("two");
  });

  test("goes on with the first asked when all fail at once, whichever ends last", async () => {
    const chat = severalChat();
    const turns = [...chat.models.values()].map((model) => model.turn());
    await sendMessage(chat.answering, chat.sessionId, question);
    for (const turn of turns.toReversed()) turn.break(new Error("down"));
    await Promise.all(asked.map(({ answerId }) => chat.process.ended(answerId)));
    expect(await activeLeaf(chat)).toBe("one");
  });

  test("sees an answer that ends while it looks for those being written", async () => {
    const chat = severalChat();
    const { owner, sessionId } = chat;
    const messages = owner.store.messages(sessionId);
    const answer = { role: "assistant" as const, parts: [], metadata: { status: "failed" } };
    await owner.store.sessions.create("", { id: sessionId });
    await messages.appendMessage({
      ...{ id: "q", role: "user", parts: question.parts },
      metadata: { together: asked },
    });
    await messages.appendMessage({ id: "two", ...answer }, "q");
    const runs = Object.assign(Object.create(owner.runs), {
      running: async () => {
        if (await messages.getMessage("one")) return [];
        await messages.appendMessage({ id: "one", ...answer }, "q");
        await messages.setActiveLeaf("two");
        return [];
      },
    });
    await goOnWithout({ store: owner.store, runs }, { sessionId, messageId: "two", parentId: "q" });
    expect(await activeLeaf(chat)).toBe("one");
  });

  test("prefers one that was stopped in mid-sentence to one without a word", async () => {
    const chat = severalChat();
    const [failing, stopping] = [...chat.models.values()].map((model) => model.turn());
    await sendMessage(chat.answering, chat.sessionId, question);
    stopping?.say("Half a ");
    await chat.conversation.readsUpTo("two", "text-delta");
    await chat.process.runner.stop(chat.owner, "two");
    await chat.process.ended("two");
    failing?.break(new Error("down"));
    await chat.process.ended("one");
    expect(await activeLeaf(chat)).toBe("two");
  });

  test("leaves the person where they went meanwhile", async () => {
    const chat = severalChat();
    const [failing, stopping] = [...chat.models.values()].map((model) => model.turn());
    await sendMessage(chat.answering, chat.sessionId, question);
    stopping?.say("Half a ");
    await chat.conversation.readsUpTo("two", "text-delta");
    await chat.process.runner.stop(chat.owner, "two");
    await chat.process.ended("two");
    await chat.owner.store.messages(chat.sessionId).setActiveLeaf("two");
    failing?.break(new Error("down"));
    await chat.process.ended("one");
    expect(await activeLeaf(chat)).toBe("two");
  });

  test("holds what its answers want to remember for the person", async () => {
    const { answering, models, sessionId, process, conversation } = severalChat();
    const note = { label: "todos", content: "- [ ] Kettle", action: "append" };
    for (const model of models.values()) {
      model.turn().call("set_context", note).finish("tool-calls");
      model.turn(1).say("Noted").finish();
    }
    await sendMessage(answering, sessionId, question);
    await Promise.all(asked.map(({ answerId }) => process.ended(answerId)));
    const { writes, proposals } = (await conversation.message("one")).metadata as GroveMetadata;
    expect(writes ?? []).toEqual([]);
    expect(proposals).toHaveLength(1);
  });

  test("holds the next write of an answer, too, once the person has decided about the first", {
    tags: "long",
  }, async () => {
    const { answering, models, sessionId, process, conversation } = severalChat();
    for (const [index, model] of [...models.values()].entries()) {
      if (index > 0) model.turn().say("Fine").finish();
      for (const turn of index > 0 ? [] : [0, 1]) {
        const note = { label: "todos", content: `- [ ] Kettle ${turn}`, action: "append" };
        model.turn(turn).call("set_context", note).finish("tool-calls");
      }
    }
    await sendMessage(answering, sessionId, question);
    await Promise.all(asked.map(({ answerId }) => process.ended(answerId)));
    const heldIn = async () => (await conversation.message("one")).metadata?.proposals ?? [];
    const [first] = await heldIn();
    await decideProposal(answering, first?.id ?? "", { decision: "approve" });
    await expect.poll(heldIn).toHaveLength(2);
    expect((await conversation.message("one")).metadata?.status).toBe("paused");
  });
});

describe("parameters of a chat", () => {
  const range = { temperature: { max: 2 }, maxOutputTokens: { max: null } };

  test("are sent with every answer, as far as the model has them, and shown in the receipt", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    const resolved = resolvedModel(model.model, { parameters: range });
    const answering = { ...conversation.answering, chooseModel: async () => resolved };
    const { sessionId } = conversation;
    const parameters = { temperature: 0.3, maxOutputTokens: 500, verbosity: "low" } as const;
    model.turn().say("First").finish();
    model.turn(1).say("Second").finish();
    await sendMessage(answering, sessionId, {
      ...question,
      together: undefined,
      answerId: "one",
      newSession: { parameters },
    });
    await conversation.process.ended("one");
    await answerMessage(answering, sessionId, { answerId: "two", parentId: "q" });
    await conversation.process.ended("two");
    for (const call of model.calls.slice(0, 2))
      expect(call).toMatchObject({ temperature: 0.3, maxOutputTokens: 500 });
    const receipt = await receiptOf(owner, sessionId, "two");
    expect(receipt?.parameters).toEqual({ temperature: 0.3, maxOutputTokens: 500 });
  });

  test("are replaced as a whole, and a fork begins with them", async () => {
    const { owner, sessionId } = await answered();
    await changeSession(owner, sessionId, { parameters: { temperature: 1 } });
    const changed = await changeSession(owner, sessionId, { parameters: { reasoning: "low" } });
    expect(changed.parameters).toEqual({ reasoning: "low" });
    const fork = { messageId: "one", withSideBranches: false };
    expect((await forkSession(owner, sessionId, fork)).parameters).toEqual({ reasoning: "low" });
  });
});

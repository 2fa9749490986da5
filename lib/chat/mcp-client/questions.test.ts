import { inputRequired } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { answerQuestion, askingPerson } from "@/lib/chat/answering/ask-person";
import { chatProcess, newOwner, plainSealer } from "@/lib/chat/testing/chat-fixture";
import { manualChat, sweep } from "@/lib/chat/testing/run-fixture";
import type { QuestionAnswer, QuestionWire } from "@/lib/chat/wire/questions";
import { writeServerRequest } from "@/lib/chat/wire/tools";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { ConfiguredServer } from "./configured-servers";
import { asksForSecret } from "./questions";
import { connectionsForTest } from "./testing/connections-for-test";
import { startToolServer, type ToolServerOptions } from "./testing/tool-server";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const form = () =>
  inputRequired.elicit({
    message: "Which day?",
    requestedSchema: {
      type: "object",
      properties: {
        day: { type: "string", format: "date", title: "Day" },
        hours: { type: "integer", minimum: 1, maximum: 24 },
        sure: { type: "boolean" },
        unit: { type: "string", enum: ["c", "f"], default: "c" },
      },
      required: ["day", "sure"],
    },
  });
const page = () => inputRequired.elicitUrl({ message: "Pay first.", url: "https://pay.test/x" });

type Asked = Awaited<ReturnType<typeof askedChat>>;

/** An answer whose tool call asks the person. */
async function askedChat(question: ToolServerOptions["question"]) {
  const server = await startToolServer(question ? { question } : {});
  onTestFinished(() => server.close());
  const owner = newOwner(database.sql, crypto.randomUUID(), { sealer: plainSealer });
  const request = writeServerRequest.parse({ name: "Station", url: server.url });
  await owner.toolServers.write("s1", request);
  await owner.tools.choose({ station__weather: "on" });
  const chat = manualChat(database.sql, { owner });
  chat.model.turn(0).call("station__weather", { city: "Rome" }).finish("tool-calls");
  chat.model.turn(1).say("Done").finish();
  const { run } = await chat.conversation.send("Weather?");
  if (!run) throw new Error("No answer was asked for.");
  return { ...chat, owner, server, runId: run.id };
}

async function questionOf({ conversation, runId }: Pick<Asked, "conversation" | "runId">) {
  const signal = AbortSignal.timeout(10_000);
  const chunks = conversation.process.runner.follow(conversation.owner, {
    runId,
    after: 0,
    signal,
  });
  for await (const chunk of chunks) {
    const { question } = (chunk.type === "tool-output-available" ? chunk.output : {}) as {
      question?: QuestionWire;
    };
    if (question) return question;
  }
  throw new Error("Nobody was asked.");
}

async function answered(asked: Asked, answer: QuestionAnswer) {
  const { id: questionId } = await questionOf(asked);
  const { sessionId } = asked.conversation;
  await answerQuestion(asked.owner, { sessionId, runId: asked.runId, questionId }, answer);
  await asked.process.ended(asked.runId);
  return asked.conversation.message(asked.runId);
}

describe("a question of a server", () => {
  test("is a form that names the server, and its answer goes to the server alone", async () => {
    const asked = await askedChat(form);
    expect(await questionOf(asked)).toMatchObject({
      server: "Station",
      text: "Which day?",
      ask: {
        kind: "form",
        fields: [
          { name: "day", kind: "text", format: "date", title: "Day", isRequired: true },
          { name: "hours", kind: "number", isInteger: true, minimum: 1, isRequired: false },
          { name: "sure", kind: "boolean" },
          { name: "unit", kind: "choice", default: "c" },
        ],
      },
    });
    const content = { day: "2026-03-31", hours: 3, sure: true, unit: "f", other: "dropped" };
    const answer = await answered(asked, { action: "accept", content });
    const { other: _, ...sent } = content;
    expect(asked.server.calls).toEqual([{ action: "accept", content: sent }]);
    expect(JSON.stringify(answer)).toContain('"asked":[{"text":"Which day?","answer":"accept"}]');
    expect(JSON.stringify([answer, asked.model.calls])).not.toContain("2026-03-31");
    expect(await asked.owner.runs.question(asked.runId, "any")).toBeNull();
  });

  test("that is declined or cancelled is answered so", { tags: "long" }, async () => {
    for (const action of ["decline", "cancel"] as const) {
      const asked = await askedChat(form);
      await answered(asked, { action });
      expect(asked.server.calls).toEqual([{ action }]);
    }
  });

  test("refuses what does not fit its field, naming it, and can be answered again", {
    tags: "long",
  }, async () => {
    const asked = await askedChat(form);
    const { id: questionId } = await questionOf(asked);
    const address = { sessionId: asked.conversation.sessionId, runId: asked.runId, questionId };
    for (const [content, field] of [
      [{ sure: true }, "day"],
      [{ day: "tomorrow", sure: true }, "day"],
      [{ day: "2026-03-31", sure: "yes" }, "sure"],
      [{ day: "2026-03-31", sure: true, hours: 2.5 }, "hours"],
      [{ day: "2026-03-31", sure: true, hours: 25 }, "hours"],
      [{ day: "2026-03-31", sure: true, unit: "k" }, "unit"],
    ] as const) {
      const answer: QuestionAnswer = { action: "accept", content };
      await expect(answerQuestion(asked.owner, address, answer)).rejects.toMatchObject({ field });
    }
    await answered(asked, { action: "accept", content: { day: "2026-03-31", sure: false } });
    expect(asked.server.calls).toHaveLength(1);
  });

  test("is answered once, by its owner, for its own chat", { tags: "long" }, async () => {
    const asked = await askedChat(form);
    const { id: questionId } = await questionOf(asked);
    const { sessionId } = asked.conversation;
    const address = { sessionId, runId: asked.runId, questionId };
    const over = { code: "question-over" };
    const decline = { action: "decline" } as const;
    const stranger = newOwner(database.sql);
    await expect(answerQuestion(stranger, address, decline)).rejects.toMatchObject(over);
    const elsewhere = { ...address, sessionId: "other" };
    await expect(answerQuestion(asked.owner, elsewhere, decline)).rejects.toMatchObject(over);
    const answers = await Promise.allSettled(
      [1, 2, 3].map(() => answerQuestion(asked.owner, address, decline)),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await asked.process.ended(asked.runId);
    await expect(answerQuestion(asked.owner, address, decline)).rejects.toMatchObject(over);
  });

  test("that opens a page names it, and sends nothing but the person's word", {
    tags: "long",
  }, async () => {
    const asked = await askedChat(page);
    expect((await questionOf(asked)).ask).toEqual({ kind: "page", url: "https://pay.test/x" });
    await answered(asked, { action: "accept", content: { typed: "nothing" } });
    expect(asked.server.calls).toEqual([{ action: "accept" }]);
  });

  test("is cancelled unseen when its page is no web address", { tags: "long" }, async () => {
    const url = "javascript:alert(1)";
    const asked = await askedChat(() => inputRequired.elicitUrl({ message: "Open", url }));
    await asked.process.ended(asked.runId);
    expect(asked.server.calls).toEqual([{ action: "cancel" }]);
  });

  test("ends with its call when the answer is stopped", { tags: "long" }, async () => {
    const asked = await askedChat(form);
    const { id: questionId } = await questionOf(asked);
    await asked.process.runner.stop(asked.owner, asked.runId);
    expect(await asked.process.ended(asked.runId)).toBe("stopped");
    const { sessionId } = asked.conversation;
    const address = { sessionId, runId: asked.runId, questionId };
    await expect(answerQuestion(asked.owner, address, { action: "decline" })).rejects.toMatchObject(
      { code: "question-over" },
    );
    expect(asked.server.calls).toEqual([]);
  });

  test("comes from a program of the older protocol, too", { tags: "long" }, async () => {
    const args = ["--import", "tsx", "lib/chat/mcp-client/testing/old-process.ts"];
    const failures: unknown[] = [];
    const program = new ConfiguredServer(
      { name: "Old", prefix: "old", command: { command: "node", args, env: {} } },
      (error) => failures.push(error),
    );
    await program.ready;
    expect(failures).toEqual([]);
    const owner = newOwner(database.sql, crypto.randomUUID(), {
      configuredServers: async () => [program],
      toolConnections: connectionsForTest(),
    });
    await owner.tools.choose({ old__weather: "on" });
    const chat = manualChat(database.sql, { owner });
    chat.model.turn(0).call("old__weather", {}).finish("tool-calls");
    chat.model.turn(1).say("Done").finish();
    const { run } = await chat.conversation.send("Weather?");
    const runId = run?.id ?? "";
    const { id: questionId, server } = await questionOf({ ...chat, runId });
    expect(server).toBe("Old");
    const address = { sessionId: chat.conversation.sessionId, runId, questionId };
    const content = { day: "2026-03-31" };
    await answerQuestion(owner, address, { action: "accept", content });
    await chat.process.ended(runId);
    const answer = await chat.conversation.message(runId);
    expect(JSON.stringify(answer)).toContain("Answered");
  });
});

describe("asking the person", () => {
  const question = { server: "S", text: "T", ask: { kind: "form", fields: [] } } as const;

  async function runningAnswer() {
    const owner = newOwner(database.sql);
    const { conversation } = manualChat(database.sql, { owner });
    const parentId = await conversation.say("Question");
    const { sessionId } = conversation;
    const run = { id: "r", sessionId, messageId: "r", parentId, model: "test/model" };
    await owner.runs.start(run, 60_000, { maxRunning: 100 });
    return { owner, sessionId };
  }

  test("ends as cancelled when nobody answers in time", async () => {
    const { owner } = await runningAnswer();
    const signal = new AbortController().signal;
    const ask = askingPerson(owner, "r", 300);
    const ids: string[] = [];
    const answer = await ask(
      { ...question, ask: { kind: "form", fields: [] } },
      { signal, onAsked: ({ id }) => void ids.push(id) },
    );
    expect(answer).toEqual({ action: "cancel" });
    expect(await owner.runs.question("r", ids[0] ?? "")).toBeNull();
  });

  test("is over once another process has ended the run of a dead one", async () => {
    const { owner, sessionId } = await runningAnswer();
    await owner.runs.changeQuestion("r", "q", { question: { ...question, id: "q" } });
    await database.sql`update chat_run set lease_until = now() - interval '1 minute' where owner_id = ${owner.spaceId}`;
    expect(await sweep(database.sql, owner)).toEqual(["r"]);
    const address = { sessionId, runId: "r", questionId: "q" };
    await expect(answerQuestion(owner, address, { action: "decline" })).rejects.toMatchObject({
      code: "question-over",
    });
    expect(chatProcess().failures).toEqual([]);
  });
});

test("words for a password, key or code are recognized", () => {
  const secret = ["password", "api key", "apiKey", "user pin", "secret token", "Your card number"];
  expect(secret.filter((words) => !asksForSecret(words))).toEqual([]);
  expect(["city", "spinning", "day", "opinion"].filter(asksForSecret)).toEqual([]);
});

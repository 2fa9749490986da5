import {
  Agent,
  type AgentInputItem,
  type OutputGuardrail,
  Runner,
  RunState,
  tool,
} from "@openai/agents";
import { convertToModelMessages } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresSessionStore } from "../../postgres";
import { InMemorySessionStore, Session } from "../../session";
import { AgentSession } from "./agent-session";
import { called, type OutputItem, ScriptedModel, said } from "./testing/scripted-model";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const stores = {
  "in memory": () => new InMemorySessionStore(),
  "in Postgres": () => new PostgresSessionStore(database.sql, crypto.randomUUID()),
};

const runner = new Runner({ tracingDisabled: true });
const place = z.object({ place: z.string() });
const weather = tool({
  name: "weather",
  description: "Tells the weather",
  parameters: place,
  execute: async ({ place }) => `Sunny in ${place}`,
});
const book = tool({
  name: "book",
  description: "Books a hotel",
  parameters: place,
  needsApproval: true,
  execute: async ({ place }) => ({ booked: place }),
});

function traveller(model: ScriptedModel, outputGuardrails: OutputGuardrail[] = []) {
  return new Agent({ name: "Traveller", model, tools: [weather, book], outputGuardrails });
}

function kinds(items: readonly AgentInputItem[]): string[] {
  return items.map((item) => ("role" in item ? item.role : item.type));
}

/** The answers as the app shows them: text, or a tool with its output. */
function shown(messages: Awaited<ReturnType<Session["getHistory"]>>): unknown[] {
  return messages.map(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type === "text") return part.text;
      return part.type === "dynamic-tool" ? [[part.toolName, part.state]] : [];
    }),
  );
}

describe.each(Object.entries(stores))("an agent with a session %s", (_, openStore) => {
  let grove: Session;
  let session: AgentSession;

  function start(...replies: OutputItem[][]): { model: ScriptedModel; agent: Agent } {
    grove = Session.create(openStore()).forSession("trip");
    session = new AgentSession(grove);
    const model = new ScriptedModel(...replies);
    return { model, agent: traveller(model) };
  }

  test("remembers earlier turns with their tool calls", async () => {
    const { model, agent } = start(
      [called("weather", { place: "Rome" })],
      [said("Sunny.")],
      [said("Rome.")],
    );
    await runner.run(agent, "How is the weather in Rome?", { session });
    const second = await runner.run(agent, "Which city?", { session });
    expect(second.finalOutput).toBe("Rome.");
    const lastInput = model.inputs.at(-1);
    const sent = typeof lastInput === "string" ? [] : (lastInput ?? []);
    expect(kinds(sent)).toEqual([
      ...["user", "function_call", "function_call_result", "assistant"],
      "user",
    ]);
    expect(kinds(await session.getItems())).toEqual([...kinds(sent), "assistant"]);
  });

  test("shows in the app as questions and answers", async () => {
    const { agent } = start(
      [said("Let me look."), called("weather", { place: "Rome" })],
      [said("Sunny.")],
    );
    await runner.run(agent, "How is the weather?", { session });
    expect(shown(await grove.getHistory())).toEqual([
      ["How is the weather?"],
      ["Let me look.", ["weather", "output-available"], "Sunny."],
    ]);
  });

  test("streams, and stores what it streamed", async () => {
    const { agent } = start([called("weather", { place: "Rome" })], [said("Sunny.")]);
    const result = await runner.run(agent, "How is the weather?", { session, stream: true });
    for await (const _event of result) {
      // Reads the stream to its end.
    }
    await result.completed;
    expect(kinds(await session.getItems())).toEqual([
      ...["user", "function_call", "function_call_result", "assistant"],
    ]);
  });

  test("lets a callback choose what the model reads, and stores the new items alone", async () => {
    const { model, agent } = start([said("One.")], [said("Two.")]);
    await runner.run(agent, "First?", { session });
    await runner.run(agent, [{ role: "user", content: "Second?" }], {
      session,
      sessionInputCallback: (history, added) => [...history.slice(-1), ...added],
    });
    const sent = model.inputs[1];
    expect(kinds(typeof sent === "string" ? [] : (sent ?? []))).toEqual(["assistant", "user"]);
    expect(kinds(await session.getItems())).toEqual(["user", "assistant", "user", "assistant"]);
  });

  test.each([true, false])("resumes from a serialized state (approved: %s)", async (approved) => {
    const { agent } = start(
      [called("weather", { place: "Rome" }), called("book", { place: "Rome" })],
      [said("Done.")],
    );
    const paused = await runner.run(agent, "Book Rome.", { session });
    expect(paused.interruptions).toHaveLength(1);
    const text = JSON.stringify(paused.state);

    const state = await RunState.fromString(agent, text);
    for (const item of state.getInterruptions()) {
      if (approved) state.approve(item);
      else state.reject(item);
    }
    const again = new AgentSession(grove);
    const result = await runner.run(agent, state, { session: again });

    expect(result.finalOutput).toBe("Done.");
    const items = await session.getItems();
    expect(kinds(items).toSorted()).toEqual(
      [
        ...["user", "function_call", "function_call", "function_call_result"],
        ...["function_call_result", "assistant"],
      ].toSorted(),
    );
    expect(shown(await grove.getHistory()).flat()).toEqual([
      "Book Rome.",
      ...[["weather", "output-available"], ["book", "output-available"], "Done."],
    ]);
  });

  test("continues an answer that the app wrote", async () => {
    const { model, agent } = start([said("Three.")]);
    await grove.appendMessages([
      { id: "q", role: "user", parts: [{ type: "text", text: "How long?" }] },
      {
        id: "a",
        role: "assistant",
        parts: [
          { type: "reasoning", text: "Hmm" },
          {
            type: "tool-clock",
            toolCallId: "c1",
            state: "output-available",
            input: { zone: "CET" },
            output: { hour: 3 },
          },
          { type: "step-start" },
          { type: "text", text: "Two minutes." },
        ],
        metadata: { model: "some/model" },
      },
    ]);
    await runner.run(agent, "Sure?", { session });
    expect(model.inputs[0]).toEqual([
      { type: "message", role: "user", content: "How long?" },
      { type: "function_call", callId: "c1", name: "clock", arguments: '{"zone":"CET"}' },
      {
        type: "function_call_result",
        callId: "c1",
        name: "clock",
        status: "completed",
        output: { type: "text", text: '{"hour":3}' },
      },
      {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Two minutes." }],
      },
      { type: "message", role: "user", content: "Sure?" },
    ]);
  });

  test("is continued by the app with a valid input", async () => {
    const { agent } = start([called("weather", { place: "Rome" })], [said("Sunny.")]);
    await runner.run(agent, "How is the weather?", { session });
    const call = { toolCallId: "call_weather", toolName: "weather" };
    expect(await convertToModelMessages(await grove.getModelHistory())).toEqual([
      { role: "user", content: [{ type: "text", text: "How is the weather?" }] },
      { role: "assistant", content: [{ type: "tool-call", ...call, input: { place: "Rome" } }] },
      {
        role: "tool",
        content: [
          { type: "tool-result", ...call, output: { type: "text", value: "Sunny in Rome" } },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "Sunny." }] },
    ]);
  });

  test("reads an edited message as it is now", async () => {
    const { agent } = start([said("Sunny.")]);
    await runner.run(agent, "How is the weather?", { session });
    const [, answer] = await grove.getHistory();
    if (!answer) throw new Error("The answer was not stored.");
    await grove.updateMessage({ ...answer, parts: [{ type: "text", text: "Rainy." }] });
    expect((await session.getItems()).at(-1)).toEqual({
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Rainy." }],
    });
  });

  test("reads a summary of the app in place of what it covers", async () => {
    const { agent } = start([said("One.")], [said("Two.")]);
    await runner.run(agent, "First?", { session });
    await runner.run(agent, "Second?", { session });
    const [first, second] = await grove.getHistory();
    await grove.addCompaction("They began.", first?.id ?? "", second?.id ?? "");
    expect(await session.getItems()).toMatchObject([
      { role: "user", content: "They began." },
      { role: "user", content: "Second?" },
      { role: "assistant" },
    ]);
  });

  test("keeps the tool calls of an answer that a guardrail blocked", async () => {
    const { model } = start([called("weather", { place: "Rome" })], [said("Secret.")]);
    const guardrail: OutputGuardrail = {
      name: "no secrets",
      execute: async () => ({ tripwireTriggered: true, outputInfo: null }),
    };
    const run = runner.run(traveller(model, [guardrail]), "Weather?", { session });
    await expect(run).rejects.toThrow("guardrail");
    expect(kinds(await session.getItems())).toEqual([
      ...["user", "function_call", "function_call_result"],
    ]);
  });
});

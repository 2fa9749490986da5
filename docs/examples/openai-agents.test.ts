import { Agent, Runner, RunState, tool } from "@openai/agents";
import { SessionManager } from "grove-session";
import { AgentSession } from "grove-session/openai-agents";
import { expect, test } from "vitest";
import { z } from "zod";
import { called, ScriptedModel, said } from "@/lib/adapters/openai-agents/testing/scripted-model";
import { onEveryStore } from "./every-store";

const runner = new Runner({ tracingDisabled: true });

onEveryStore((openStore) => {
  test("remembers, takes back and brings back", async () => {
    const sessions = SessionManager.create(openStore());
    const model = new ScriptedModel([said("San Francisco")], [said("California")]);
    const agent = new Agent({ name: "TourGuide", model });

    const { id } = await sessions.create("Tour");
    const session = new AgentSession(sessions.getSession(id));
    await runner.run(agent, "What city is the Golden Gate Bridge in?", { session });
    const second = await runner.run(agent, "What state is it in?", { session });

    const answer = await session.popItem();
    const isBack = await session.restoreItem();

    expect(second.finalOutput).toBe("California");
    expect([answer, isBack]).toMatchObject([{ role: "assistant" }, true]);
    expect(await session.getItems()).toHaveLength(4);
    expect(await session.session.getHistory()).toHaveLength(4);
  });

  test("resumes a run that waits for an approval", async () => {
    const sessions = SessionManager.create(openStore());
    const book = tool({
      name: "book",
      description: "Books a hotel",
      parameters: z.object({ city: z.string() }),
      needsApproval: true,
      execute: async ({ city }) => `Booked in ${city}`,
    });
    const model = new ScriptedModel([called("book", { city: "Rome" })], [said("Done.")]);
    const agent = new Agent({ name: "Traveller", model, tools: [book] });
    const { id } = await sessions.create("Trip");
    const session = new AgentSession(sessions.getSession(id));

    const paused = await runner.run(agent, "Book a hotel in Rome", { session });
    const saved = JSON.stringify(paused.state);

    const state = await RunState.fromString(agent, saved);
    for (const call of state.getInterruptions()) state.approve(call);
    const resumed = await runner.run(agent, state, {
      session: new AgentSession(sessions.getSession(id)),
    });

    expect(resumed.finalOutput).toBe("Done.");
    expect(await session.getItems()).toHaveLength(4);
  });
});

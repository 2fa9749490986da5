import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { decideCall } from "@/lib/chat/answering/decide-call";
import { asPerson, inOwnSpace } from "@/lib/chat/core/person-in-space";
import { newOwner, plainSealer } from "@/lib/chat/testing/chat-fixture";
import { endedAnswer, manualChat } from "@/lib/chat/testing/run-fixture";
import { decideRequest, type GroveMessage } from "@/lib/chat/wire/messages";
import { type ToolPolicy, writeServerRequest } from "@/lib/chat/wire/tools";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { ConnectionLimits } from "./connections";
import { connectionsForTest } from "./testing/connections-for-test";
import { startStatefulServer } from "./testing/stateful-server";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface StatefulOptions {
  readonly policy?: ToolPolicy;
  readonly limits?: Partial<ConnectionLimits>;
}

/** An owner with a server that counts the calls of each session. */
async function statefulOwner({ policy = "on", limits }: StatefulOptions = {}) {
  const server = await startStatefulServer();
  onTestFinished(() => server.close());
  const toolConnections = connectionsForTest(limits);
  const owner = newOwner(database.sql, crypto.randomUUID(), {
    sealer: plainSealer,
    toolConnections,
  });
  const write = (name: string, key?: string) =>
    owner.toolServers.write("s1", writeServerRequest.parse({ name, url: server.url, key }));
  await write("Browser");
  await owner.tools.choose({ browser__weather: policy });
  // Reading the list has ended its own session.
  await server.ended(1);
  const chat = () => countingChat(owner);
  return { server, owner, toolConnections, write, chat };
}

type Owner = ReturnType<typeof newOwner>;

function countingChat(owner: Owner) {
  const chat = manualChat(database.sql, { owner });
  const { model, conversation } = chat;
  const callOnce = (turn: number, city: string) => {
    model.turn(turn).call("browser__weather", { city }).finish("tool-calls");
    model
      .turn(turn + 1)
      .say("Done")
      .finish();
    return conversation.ask(city);
  };
  return { ...chat, callOnce };
}

function outputsIn({ parts }: GroveMessage): unknown[] {
  return parts.flatMap((part) => ("output" in part ? [part.output] : []));
}

const said = (city: string, call: number) => ({ text: `${city} is call ${call} of this session` });

describe("the connection of a chat to a server", () => {
  test("is kept over an approval and for the next answer", { tags: "long" }, async () => {
    const { server, chat } = await statefulOwner({ policy: "ask" });
    const { model, conversation, ...others } = chat();
    const approve = async (answer: GroveMessage) => {
      const approval = answer.parts.flatMap((part) =>
        "approval" in part && part.approval ? [part.approval.id] : [],
      );
      const { sessionId } = conversation;
      const address = { sessionId, messageId: answer.id, approvalId: approval.at(-1) ?? "" };
      await decideCall(
        conversation.answering,
        address,
        decideRequest.parse({ decision: "approve" }),
      );
      return endedAnswer({ model, conversation, ...others }, answer.id);
    };
    model.turn(0).call("browser__weather", { city: "Rome" }).finish("tool-calls");
    model.turn(1).call("browser__weather", { city: "Oslo" }).finish("tool-calls");
    model.turn(2).say("Done").finish();
    const first = await approve(await conversation.ask("Weather?"));
    const second = await approve(first);
    expect(outputsIn(second)).toEqual([said("Rome", 1), said("Oslo", 2)]);
    model.turn(3).call("browser__weather", { city: "Bonn" }).finish("tool-calls");
    model.turn(4).say("Done").finish();
    const next = await approve(await conversation.ask("And there?"));
    expect(outputsIn(next)).toEqual([said("Bonn", 3)]);
    expect(server.begun).toHaveLength(2);
  });

  test("belongs to that chat alone", { tags: "long" }, async () => {
    const { chat } = await statefulOwner();
    expect(outputsIn(await chat().callOnce(0, "Rome"))).toEqual([said("Rome", 1)]);
    expect(outputsIn(await chat().callOnce(0, "Oslo"))).toEqual([said("Oslo", 1)]);
  });

  test("ends at the server once the chat has rested", { tags: "long" }, async () => {
    const { server, chat } = await statefulOwner({ limits: { restMs: 1 } });
    const { callOnce } = chat();
    await callOnce(0, "Rome");
    expect((await server.ended(2)).at(-1)).toBe(server.begun.at(-1));
    expect(outputsIn(await callOnce(2, "Oslo"))).toEqual([said("Oslo", 1)]);
  });

  test("ends with its chat, its server, and the process", { tags: "long" }, async () => {
    const { server, owner, chat, toolConnections, write } = await statefulOwner();
    const first = chat();
    await first.callOnce(0, "Rome");
    const { sessionId } = first.conversation;
    toolConnections.endChat({ ...owner, sessionId });
    await server.ended(2);
    const second = chat();
    await second.callOnce(0, "Rome");
    await write("Browser", "another-key-of-it");
    await server.ended(4);
    await second.callOnce(2, "Rome");
    await owner.toolServers.remove("s1");
    await server.ended(5);
    await write("Browser");
    await owner.tools.choose({ browser__weather: "on" });
    await chat().callOnce(0, "Rome");
    await toolConnections.end();
    expect(await server.ended(7)).toHaveLength(server.begun.length);
  });

  test("begins again once when its server has forgotten it, also at the call itself", {
    tags: "long",
  }, async () => {
    const { server, chat } = await statefulOwner();
    const { callOnce } = chat();
    await callOnce(0, "Rome");
    server.forgetSessions();
    expect(outputsIn(await callOnce(2, "Oslo"))).toEqual([said("Oslo", 1)]);
    server.forgetAtNextCall();
    expect(outputsIn(await callOnce(4, "Bonn"))).toEqual([said("Bonn", 1)]);
  });

  test("ends as the least recently used one of its owner when there are too many", {
    tags: "long",
  }, async () => {
    const { server, chat } = await statefulOwner({ limits: { ofOwner: 2 } });
    const [first, second, third] = [chat(), chat(), chat()];
    await first.callOnce(0, "Rome");
    await second.callOnce(0, "Oslo");
    expect(outputsIn(await first.callOnce(2, "Rome"))).toEqual([said("Rome", 2)]);
    await third.callOnce(0, "Bonn");
    expect((await server.ended(2)).at(-1)).toBe(server.begun[2]);
    expect(outputsIn(await first.callOnce(4, "Rome"))).toEqual([said("Rome", 3)]);
  });

  test("is refused with a sentence while answers hold as many as a process may have", async () => {
    const server = await startStatefulServer();
    onTestFinished(() => server.close());
    const connections = connectionsForTest({ ofProcess: 1 });
    const address = async () => ({ kind: "http" as const, url: server.url, headers: {} });
    const [first, second] = ["one", "two"].map((id) =>
      connections.ofAnswer({ ...inOwnSpace(asPerson(id)), sessionId: "chat" }),
    );
    const held = await first?.call("s", address, null);
    await expect(second?.call("s", address, null)).rejects.toThrow("Too many servers of tools");
    held?.end();
    first?.close();
    await second?.call("s", address, null);
    expect(await server.ended(1)).toEqual([server.begun[0]]);
  });

  test("that one call leaves stays open for the others until the answer ends", async () => {
    const server = await startStatefulServer();
    onTestFinished(() => server.close());
    const answer = connectionsForTest().ofAnswer({
      ...inOwnSpace(asPerson("owner")),
      sessionId: "chat",
    });
    const open = () =>
      answer.call("s", async () => ({ kind: "http", url: server.url, headers: {} }), null);
    const first = await open();
    first.leave();
    const second = await open();
    expect(second.client).not.toBe(first.client);
    const call = () => first.client.callTool({ name: "weather", arguments: { city: "Rome" } });
    expect(await call()).toMatchObject({ content: [said("Rome", 1)] });
    answer.close();
    await server.ended(1);
    await expect(call()).rejects.toThrow();
  });
});

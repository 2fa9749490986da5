import { expect, test, vi } from "vitest";
import { onEveryStore } from "@/docs/examples/every-store";
import {
  Session,
  SessionExistsError,
  SessionManager,
  SessionNotFoundError,
  type SessionStore,
} from "../../session";
import { assistant, user } from "../../session/testing";
import { GroveSessionStore, type SelectoolsMessage } from ".";

onEveryStore((openStore) => {
  const open = () => new GroveSessionStore(openStore());

  test("loads what was saved", async () => {
    const store = open();
    const messages = [said("user", "Hello"), said("assistant", "Hi.")];
    const saved = { messages, metadata: { user: "ada" }, summary: "Greetings" };
    await store.save("s1", saved);

    const data = await store.load("s1");

    expect(data).toMatchObject({ session_id: "s1", ...saved });
    await store.branch("s1", "s2");
    expect(await store.load("s2")).toMatchObject(saved);
    await store.save("s1", { messages });
    expect(await store.load("s1")).not.toHaveProperty("summary");
    expect(String(data?.created_at) <= String(data?.updated_at)).toBe(true);
    expect(await store.load("unknown")).toBeNull();
  });

  test("keeps tool calls, their results and other fields of messages", async () => {
    const store = open();
    const messages: SelectoolsMessage[] = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Weather?", image_base64: "aGk=" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ name: "weather", parameters: { city: "Rome" }, id: "c1" }],
      },
      { role: "tool", content: "Sunny", tool_call_id: "c1", tool_result: "Sunny" },
      { role: "assistant", content: "It is sunny." },
    ];
    await store.save("s1", { messages });
    expect((await store.load("s1"))?.messages).toEqual(messages);
  });

  test("gives calls without ids ids of their own, and each result to the oldest call", async () => {
    const { grove, store } = openBoth(openStore());
    const call = (city: string) => ({ name: "weather", parameters: { city } });
    const messages: SelectoolsMessage[] = [
      said("user", "Weather?"),
      { role: "assistant", content: "", tool_calls: [call("Rome"), call("Oslo")] },
      said("tool", "Sunny"),
      said("tool", "Snow"),
    ];
    await store.save("s1", { messages });

    const [, calling, sunny, snow] = (await store.load("s1"))?.messages ?? [];
    const [rome, oslo] = calling?.tool_calls ?? [];
    expect(rome?.id).not.toBe(oslo?.id);
    expect([sunny?.tool_call_id, snow?.tool_call_id]).toEqual([rome?.id, oslo?.id]);

    await store.save("s1", { messages: messages.slice(1) });
    expect(await grove.getSession("s1").tree.getNodes()).toHaveLength(4);
  });

  test("gives a result without a call in the list an id", async () => {
    const { grove, store } = openBoth(openStore());
    await store.save("s1", { messages: [said("tool", "Sunny")] });
    const [result] = await grove.getSession("s1").getLatestMessages(1);
    expect(result?.parts).toMatchObject([{ toolCallId: expect.any(String), output: "Sunny" }]);
  });

  test("loads content that is null as null until a person writes some", async () => {
    const { grove, store } = openBoth(openStore());
    const tool_calls = [{ name: "weather", parameters: {}, id: "c1" }];
    const messages = [{ role: "assistant" as const, content: null, tool_calls }];
    await store.save("s1", { messages });
    expect((await store.load("s1"))?.messages).toEqual(messages);

    const session = grove.getSession("s1");
    const [stored] = await session.getLatestMessages(1);
    const parts = [{ type: "text", text: "Let me see." }, ...(stored?.parts ?? [])];
    await session.updateMessage({ ...assistant(stored?.id ?? ""), parts });
    expect((await store.load("s1"))?.messages[0]?.content).toBe("Let me see.");
  });

  test("writes nothing when a session is saved again as it was loaded", async () => {
    const { grove, store } = openBoth(openStore());
    await store.save("s1", { messages: [said("user", "Hello"), said("assistant", "Hi.")] });
    const data = await store.load("s1");
    await store.save("s1", { messages: data?.messages ?? [] });
    expect((await grove.get("s1"))?.messageCount).toBe(2);
  });

  test("appends what is new and branches where a list differs", async () => {
    const { grove, store } = openBoth(openStore());
    const hello = said("user", "Hello");
    await store.save("s1", { messages: [hello, said("assistant", "Hi.")] });
    await store.save("s1", { messages: [hello, said("assistant", "Hi."), said("user", "Tea?")] });
    await store.save("s1", { messages: [hello, said("assistant", "Good day.")] });

    expect((await store.load("s1"))?.messages).toEqual([hello, said("assistant", "Good day.")]);
    expect((await grove.getSession("s1").tree.getNodes()).length).toBe(4);
  });

  test("loads a window that slid, and keeps what slid out of it", async () => {
    const { grove, store } = openBoth(openStore());
    const messages = ["one", "two", "three", "four"].map((text) => said("user", text));
    await store.save("s1", { messages });
    const window = [...messages.slice(2), said("user", "five")];
    await store.save("s1", { messages: window });

    expect((await store.load("s1"))?.messages).toEqual(window);
    expect(await grove.getSession("s1").getPathLength()).toBe(5);
  });

  test("loads the window when its first messages were deleted or rewritten in the app", async () => {
    const { grove, store } = openBoth(openStore());
    const messages = ["one", "two", "three", "four"].map((text) => said("user", text));
    await store.save("s1", { messages });
    await store.save("s1", { messages: [...messages.slice(2), said("user", "five")] });
    const [, two, three] = await grove.getSession("s1").getLatestMessages(9);
    const texts = async () =>
      (await store.load("s1"))?.messages.map(({ content }) => content).join(" ");

    await grove.deleteMessages("s1", [three?.id ?? ""]);
    expect(await texts()).toBe("four five");
    await grove.deleteMessages("s1", [two?.id ?? ""]);
    expect(await texts()).toBe("four five");
    const [one] = await grove.getSession("s1").tree.getRoots();
    await grove.append("s1", user("q", "rewritten"), one?.id);
    expect(await texts()).toBe("rewritten");
  });

  test("saves and loads an empty session", async () => {
    const store = open();
    await store.save("s1", { messages: [] });
    expect((await store.load("s1"))?.messages).toEqual([]);
    expect(await store.exists("s1")).toBe(true);
  });

  test("loads what a person has continued in the app", async () => {
    const { grove, store } = openBoth(openStore());
    await store.save("s1", { messages: [said("user", "Hello")] });
    await grove.append("s1", assistant("a1", "Hi."));
    expect((await store.load("s1"))?.messages).toEqual([
      said("user", "Hello"),
      said("assistant", "Hi."),
    ]);
  });

  test("keeps files and reasoning written in the app when its list is loaded and saved", async () => {
    const { grove, store } = openBoth(openStore());
    await store.save("s1", { messages: [said("user", "Hello"), said("assistant", "Hi.")] });
    await grove.append("s1", { ...user("q1", "see"), parts: seeFile });
    await grove.append("s1", { ...assistant("a1"), parts: reasoned });
    const before = await grove.getSession("s1").getLatestMessages(9);

    const data = await store.load("s1");
    await store.save("s1", { messages: [...(data?.messages ?? []), said("user", "Thanks")] });

    const after = await grove.getSession("s1").getLatestMessages(9);
    expect(after.slice(0, -1)).toEqual(before);
    expect(await grove.getSession("s1").tree.getLeaves()).toHaveLength(1);
  });

  test("follows a list to the branch with its files after a person left that branch", async () => {
    const { grove, store } = openBoth(openStore());
    await store.save("s1", { messages: [said("user", "Hello")] });
    await grove.append("s1", { ...user("q1", "see"), parts: seeFile });
    await grove.append("s1", { ...assistant("a1"), parts: reasoned });
    const data = await store.load("s1");
    const [hello] = await grove.getSession("s1").tree.getRoots();
    await grove.append("s1", user("q2", "Other"), hello?.id ?? null);

    await store.save("s1", { messages: [...(data?.messages ?? []), said("user", "Thanks")] });

    const path = await grove.getSession("s1").getLatestMessages(9);
    expect(path.slice(1, 3).map(({ id }) => id)).toEqual(["q1", "a1"]);
  });

  test("copies files and reasoning of messages that follow a change of the list", async () => {
    const { grove, store } = openBoth(openStore());
    await store.save("s1", { messages: [said("user", "Hello"), said("assistant", "Done.")] });
    await grove.append("s1", { ...user("q1", "see"), parts: seeFile });
    await grove.append("s1", { ...assistant("a1"), parts: reasoned });
    const [, ...rest] = (await store.load("s1"))?.messages ?? [];

    await store.save("s1", { messages: [said("user", "Changed"), ...rest] });

    const path = await grove.getSession("s1").getLatestMessages(9);
    expect(path.slice(2).map(({ parts }) => parts)).toEqual([seeFile, reasoned]);
  });

  test("gives a new message nothing of an older one that reads the same", async () => {
    const { grove, store } = openBoth(openStore());
    await store.save("s1", { messages: [said("user", "Hello")] });
    await grove.append("s1", { ...assistant("a1"), parts: reasoned });
    const messages = (await store.load("s1"))?.messages ?? [];
    await store.save("s1", { messages: [...messages, said("assistant", "A chart.")] });
    const latest = await grove.getSession("s1").getLatestMessages(1);
    expect(latest[0]?.parts).toEqual([{ type: "text", text: "A chart." }]);
  });

  test("keeps sessions of namespaces apart", async () => {
    const store = open();
    for (const namespace of [undefined, "a", "a:b", "b"]) {
      await store.save("b:s", { messages: [said("user", `In ${namespace}`)] }, { namespace });
    }
    await store.save("s", { messages: [said("user", "In a:b, other id")] }, { namespace: "a:b" });

    const data = await store.load("b:s", { namespace: "a:b" });
    expect(data?.messages).toEqual([said("user", "In a:b")]);
    expect(data?.session_id).toBe("b:s");
    expect((await store.listSessions({ namespace: "a:b" })).sort()).toEqual(["b:s", "s"]);
    expect((await store.list()).length).toBe(5);
    await store.delete("b:s", { namespace: "a" });
    expect(await store.exists("b:s")).toBe(true);
  });

  test("returns whether there was a session to delete, and frees its id", async () => {
    const store = open();
    await store.save("s1", { messages: [said("user", "secret")] });
    expect([await store.delete("s1"), await store.delete("s1")]).toEqual([true, false]);
    expect(await store.load("s1")).toBeNull();
    await store.save("s1", { messages: [said("user", "fresh")] });
    expect((await store.load("s1"))?.messages).toEqual([said("user", "fresh")]);
    expect(await store.search("secret")).toEqual([]);
  });

  test("deletes for good what a person has deleted in the app, and then saves its id again", async () => {
    const { grove, store } = openBoth(openStore());
    const messages = [said("user", "Hello")];
    await store.save("s1", { messages });
    await grove.delete("s1");
    await expect(store.save("s1", { messages })).rejects.toThrow(SessionExistsError);
    expect(await store.delete("s1")).toBe(true);
    await expect(grove.restore("s1")).rejects.toThrow(SessionNotFoundError);
    await store.save("s1", { messages });
    expect((await store.load("s1"))?.messages).toEqual(messages);
  });

  test("leaves a deleted session of another origin where a person can restore it", async () => {
    const { grove, store } = openBoth(openStore());
    await grove.create("Chat", { id: "chat" });
    await grove.append("chat", user("q1", "Hello"));
    await grove.delete("chat");
    expect(await store.delete("chat")).toBe(false);
    expect(await grove.get("chat")).toBeNull();
    await grove.restore("chat");
    expect(await grove.getMessageCount("chat")).toBe(1);
  });

  test("lists archived sessions among the others", async () => {
    const { grove, store } = openBoth(openStore());
    for (const id of ["s1", "s2", "s3"])
      await store.save(id, { messages: [said("user", "Hello")] });
    await grove.update("s2", { archived: true });
    expect((await store.listSessions()).toSorted()).toEqual(["s1", "s2", "s3"]);
  });

  test("hides an expired session until it is saved again", async () => {
    const grove = openStore();
    const store = new GroveSessionStore(grove, { ttlSeconds: 3600 });
    await store.save("s1", { messages: [said("user", "old tea")] });
    await expire(grove, "s1");

    expect(await store.exists("s1")).toBe(false);
    expect(await store.load("s1")).toBeNull();
    expect(await store.listSessions()).toEqual([]);
    expect(await store.search("tea")).toEqual([]);
    expect(await store.delete("s1")).toBe(false);
    await expect(store.branch("s1", "s2")).rejects.toThrow('Session "s1" does not exist.');

    await store.save("s1", { messages: [said("user", "new")] });
    expect((await store.load("s1"))?.messages).toEqual([said("user", "new")]);
    expect(await SessionManager.create(grove).getSession("s1").tree.getNodes()).toHaveLength(1);
  });

  test("renews the time to live with every save, also of what is known", async () => {
    const grove = openStore();
    const store = new GroveSessionStore(grove, { ttlSeconds: 3600 });
    const messages = [said("user", "Hello")];
    await store.save("s1", { messages });
    const first = await grove.sessions.update("s1", { expiresAfterMs: 60_000 });
    await store.save("s1", { messages });
    const second = await grove.sessions.get("s1");
    expect(second?.expiresAfterMs).toBe(3_600_000);
    expect(Number(second?.expiresAt)).toBeGreaterThan(Number(first.expiresAt));
  });

  test("branches to the id of an expired session", async () => {
    const grove = openStore();
    const store = new GroveSessionStore(grove);
    await store.save("s1", { messages: [said("user", "Hello")] });
    await store.save("s2", { messages: [said("user", "old")] });
    await expire(grove, "s2");
    await store.branch("s1", "s2");
    expect((await store.load("s2"))?.messages).toEqual([said("user", "Hello")]);
  });

  test("finds sessions by any word of what was said on the active path", async () => {
    const store = open();
    const namespace = "user:alice";
    await store.save("s1", { messages: [said("user", "A billing discrepancy")] }, { namespace });
    await store.save("s2", { messages: [said("user", "billing, twice billing")] }, { namespace });
    await store.save("s3", { messages: [said("user", "billing")] });
    await store.save("s4", { messages: [said("system", "billing")] }, { namespace });
    await store.save("s5", { messages: [said("user", "billing")] }, { namespace });
    await store.save("s5", { messages: [said("user", "weather")] }, { namespace });

    const results = await store.search("billing discrepancy", { namespace, limit: 5 });

    expect(results.map(({ sessionId }) => sessionId)).toEqual(["s1", "s2"]);
    expect(results[0]?.matchedMessages).toEqual(["A billing discrepancy"]);
    expect((await store.search("billing")).length).toBe(3);
    expect((await store.search("billing", { limit: 1 })).length).toBe(1);
  });

  test("ranks more messages with a common word above one with a rare word", async () => {
    const store = open();
    const common = Array.from({ length: 80 }, (_, at) => said("user", `tea ${at}`));
    await store.save("filler", { messages: common });
    await store.save("rare", { messages: [said("user", "sencha")] });
    await store.save("common", { messages: common.slice(0, 2) });
    const found = (await store.search("sencha tea")).map(({ sessionId }) => sessionId);
    expect(found.indexOf("common")).toBeLessThan(found.indexOf("rare"));
  });

  test("finds in a namespace what more matches in another do not crowd out", async () => {
    const store = open();
    await store.save("s1", { messages: [said("user", "tea")] }, { namespace: "a" });
    const messages = Array.from({ length: 120 }, (_, at) => said("user", `tea tea ${at}`));
    await store.save("s1", { messages }, { namespace: "b" });
    await store.save("s1", { messages });

    const [found] = await store.search("tea", { namespace: "a" });
    const namespaces = (await store.search("tea")).map(({ namespace }) => namespace);

    expect(found).toMatchObject({ sessionId: "s1", namespace: "a", matchedMessages: ["tea"] });
    expect(namespaces.toSorted()).toEqual(["a", "b", null].toSorted());
  });

  test("stores namespaces and ids of any form, up to the length that stores allow", async () => {
    const store = open();
    const id = `~${"x".repeat(199)}`;
    const namespace = "user:42/agent ü".repeat(10);
    await store.save(id, { messages: [said("user", "Hello")] }, { namespace });
    expect(await store.list()).toMatchObject([{ sessionId: id, namespace }]);
    await store.branch(id, "copy", { namespace });
    expect((await store.load("copy", { namespace }))?.messages).toHaveLength(1);
  });

  test("branches a session that is independent from then on", async () => {
    const store = open();
    const messages = [said("user", "Hello"), said("assistant", "Hi.")];
    await store.save("s1", { messages, metadata: { user: "ada" } });
    await store.branch("s1", "s2");
    await store.save("s1", { messages: [said("user", "Other")] });

    expect(await store.load("s2")).toMatchObject({
      session_id: "s2",
      messages,
      metadata: { user: "ada" },
    });
    await store.save("s2", { messages: [...messages, said("user", "More")] });
    expect((await store.load("s1"))?.messages).toEqual([said("user", "Other")]);
  });

  test("branches to an id that exists with the files and reasoning of the source", async () => {
    const { grove, store } = openBoth(openStore());
    for (const id of ["s1", "s2"]) await store.save(id, { messages: [said("user", "Hello")] });
    await grove.append("s1", { ...user("q1", "see"), parts: seeFile });
    await grove.append("s1", { ...assistant("a1"), parts: reasoned });
    await store.branch("s1", "s2");
    const path = await grove.getSession("s2").getLatestMessages(2);
    expect(path.map(({ parts }) => parts)).toEqual([seeFile, reasoned]);
  });

  test("branches to an id that exists, and branches an empty session", async () => {
    const store = open();
    await store.save("s1", { messages: [said("user", "Hello")] });
    await store.save("s2", { messages: [said("user", "Other")] });
    await store.save("empty", { messages: [] });
    await store.branch("s1", "s2");
    await store.branch("empty", "s3");
    expect((await store.load("s2"))?.messages).toEqual([said("user", "Hello")]);
    expect((await store.load("s3"))?.messages).toEqual([]);
  });

  test("notifies observers, whose failures fail nothing", async () => {
    using warn = vi.spyOn(console, "warn").mockReturnValue();
    const seen: unknown[][] = [];
    const observers = [
      {
        onSessionSave: () => {
          throw new Error("observer is broken");
        },
      },
      {
        onSessionSave: (...event: unknown[]) => seen.push(["save", ...event]),
        onSessionLoad: (...event: unknown[]) => seen.push(["load", ...event]),
      },
    ];
    const store = new GroveSessionStore(openStore(), { observers });
    await store.save("s1", { messages: [said("user", "Hello")] }, { runId: "r1" });
    await store.load("s1", { runId: "r2" });
    await store.load("unknown");
    expect(warn).toHaveBeenCalledTimes(1);
    expect(seen).toEqual([
      ["save", "r1", "s1", 1],
      ["load", "r2", "s1", 1],
    ]);
  });

  test("neither sees nor overwrites sessions of another origin", async () => {
    const grove = openStore();
    const store = new GroveSessionStore(grove);
    await Session.create(grove).forSession("chat").appendMessage(user("q1", "Hello"));
    expect(await store.load("chat")).toBeNull();
    expect(await store.delete("chat")).toBe(false);
    await expect(store.save("chat", { messages: [] })).rejects.toThrow("not saved by selectools");
  });

  test("refuses messages of another shape and changes nothing", async () => {
    const store = open();
    await store.save("s1", { messages: [said("user", "Hello")] });
    const broken = [said("user", "Hello"), { role: "robot", content: 3 }] as SelectoolsMessage[];
    await expect(store.save("s1", { messages: broken })).rejects.toThrow("messages[1]");
    await expect(store.save("", { messages: [] })).rejects.toThrow("not blank");
    expect((await store.load("s1"))?.messages).toEqual([said("user", "Hello")]);
  });
});

const seeFile = [
  { type: "text", text: "see" },
  { type: "file", mediaType: "image/png", filename: "a.png", url: "/files/a.png" },
];
const reasoned = [
  { type: "reasoning", text: "It is a chart." },
  { type: "text", text: "A chart." },
];

function said(role: SelectoolsMessage["role"], content: string): SelectoolsMessage {
  return { role, content };
}

function openBoth(store: SessionStore) {
  return { grove: SessionManager.create(store), store: new GroveSessionStore(store) };
}

async function expire(store: SessionStore, sessionId: string): Promise<void> {
  await store.sessions.update(sessionId, { expiresAfterMs: -1 });
}

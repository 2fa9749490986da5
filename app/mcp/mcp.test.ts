import type { Client } from "@modelcontextprotocol/client";
import { assistant, user } from "grove-session/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { asPerson, asSpace, inOwnSpace } from "@/lib/chat/core/person-in-space";
import { Memory } from "@/lib/chat/memory/memory";
import { acceptProposal, listProposals } from "@/lib/chat/memory/proposals";
import { createKey, revokeKey } from "@/lib/chat/programs/keys";
import { type McpScope, mcpScopeSchema } from "@/lib/chat/wire/keys";
import { services } from "@/lib/server/services";
import { startTestServices, type TestServices } from "@/lib/server/testing/test-services";
import { connectedClient, eras, type McpHttp, serveMcp } from "./testing/mcp-http";

let served: TestServices;
let http: McpHttp;

beforeAll(async () => {
  http = await serveMcp();
  served = await startTestServices({ PORT: String(http.port) });
});
afterAll(async () => {
  await http.close();
  await served.end();
});

const allScopes = mcpScopeSchema.options;
const apiScopes = {
  canWrite: false,
  usesMemory: false,
  keeps: "asked" as const,
  models: null,
  monthlyLimit: null,
  blocks: null,
};

async function newClient({
  ownerId = crypto.randomUUID(),
  mcp = allScopes,
  era = "2025",
}: {
  ownerId?: string;
  mcp?: readonly McpScope[];
  era?: keyof typeof eras;
} = {}) {
  await services().ready();
  const owner = services().acting(inOwnSpace(asPerson(ownerId)));
  const { key, secret } = await createKey(owner, {
    name: "Notebook",
    usesApi: false,
    ...apiScopes,
    mcp: [...mcp],
  });
  const client = await connectedClient(http.url, secret, eras[era]);
  return { owner, ownerId, key, secret, client, memory: new Memory(owner, null) };
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  if (!isError) expect(JSON.parse(text)).toEqual(structuredContent);
  return {
    data: structuredContent as never as Record<string, never>,
    isError: isError === true,
    text,
  };
}

async function blockId(memory: Memory, label: string): Promise<string> {
  const block = (await memory.list()).find((each) => each.label === label);
  if (!block) throw new Error(`There is no block ${label}.`);
  return block.id;
}

async function teaChat({ owner }: { owner: ReturnType<ReturnType<typeof services>["acting"]> }) {
  await owner.store.sessions.create("Tea", { id: "tea" });
  const messages = owner.store.messages("tea");
  await messages.appendMessage(user("q1", "How long does green tea steep?"));
  await messages.appendMessage(assistant("a1", "Two minutes."), "q1");
  await messages.appendMessage(assistant("a1b", "Three minutes."), "q1");
}

function post(body: BodyInit, headers: Record<string, string> = {}) {
  const json = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  return fetch(http.url, {
    method: "POST",
    body,
    headers: { ...json, ...headers },
    duplex: "half",
  } as RequestInit);
}

const listTools = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

test("a key of a project reads its chats and memory alone, and is refused once that is deleted", {
  tags: "long",
}, async () => {
  const personId = asPerson(crypto.randomUUID());
  const who = { personId, spaceId: asSpace(`p-${crypto.randomUUID()}`) };
  await services().ready();
  await services().projects.make(who, "Tea");
  const [own, project] = [services().acting(inOwnSpace(personId)), services().acting(who)];
  await teaChat({ owner: own });
  await project.store.sessions.create("Kettles", { id: "kettles" });
  await project.store.messages("kettles").appendMessage(user("q", "Which kettle?"));
  const scopes = { usesApi: false, ...apiScopes, mcp: [...allScopes], space: who.spaceId };
  const { key, secret } = await createKey(own, { name: "Notebook", ...scopes });
  const client = await connectedClient(http.url, secret, eras["2025"]);
  const listed = await call(client, "list_chats");
  expect(listed.text).toContain("Kettles");
  expect(listed.text).not.toContain("Tea");
  expect((await call(client, "search_chats", { query: "green tea" })).text).not.toContain("green");
  expect((await call(client, "read_chat", { chatId: "tea" })).isError).toBe(true);
  const there = await call(client, "read_chat", { chatId: "kettles" });
  expect(there.text).toContain("Which kettle?");
  await call(client, "write_memory", { label: "memory", content: "Likes cast iron" });
  const memoryOf = (owner: typeof own) => new Memory(owner, null).list();
  expect(JSON.stringify(await memoryOf(project))).toContain("cast iron");
  expect(JSON.stringify(await memoryOf(own))).not.toContain("cast iron");
  await services().projects.delete(who.spaceId);
  const refused = await post(listTools, { Authorization: `Bearer ${secret}` });
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain(`The project of the key “${key.name}” is deleted`);
});

describe.each(["2025", "2026"] as const)("a client of the %s protocol", (era) => {
  test("sees the tools, prompts and resources of its key", async () => {
    const { client } = await newClient({ era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "list_memory",
      "list_memory_entries",
      "read_memory",
      "search_memory",
      "write_memory",
      "search_chats",
      "list_chats",
      "read_chat",
      "list_skills",
      "read_skill",
    ]);
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(["write_memory"]);
    expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true);
    expect(client.getServerVersion()?.name).toBe("grove");
  });

  test("sees nothing else than its scopes give", { tags: "long" }, async () => {
    const { client, memory } = await newClient({ era, mcp: ["chats:search"] });
    await memory.list();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["search_chats"]);
    await expect(client.callTool({ name: "list_memory", arguments: {} })).rejects.toThrow(
      "list_memory",
    );
    expect(client.getServerCapabilities()).not.toHaveProperty("resources");
    expect(client.getServerCapabilities()).not.toHaveProperty("prompts");
  });

  test("knows the blocks of its key alone", { tags: "long" }, async () => {
    const { owner, memory } = await newClient({ era });
    const [knowledge, notes] = [
      await blockId(memory, "knowledge"),
      await blockId(memory, "memory"),
    ];
    await memory.write(notes, { content: "Prefers pelicans" });
    await memory.addEntry(knowledge, { title: "Birds", content: "Pelicans fish." });
    const skill = { title: "brew", description: "Brewing tea", content: "Warm the pot." };
    await memory.addEntry(await blockId(memory, "skills"), skill);
    const { secret } = await createKey(owner, {
      ...{ ...apiScopes, name: "Birds", usesApi: false },
      ...{ mcp: ["memory:read", "memory:write", "skills:read"], blocks: [knowledge] },
    });
    const client = await connectedClient(http.url, secret, eras[era]);
    const listed = await call(client, "list_memory");
    expect(listed.data.blocks).toMatchObject([{ label: "knowledge" }]);
    const found = await call(client, "search_memory", { query: "pelicans" });
    expect(found.data.found).toMatchObject([{ label: "knowledge", key: "birds" }]);
    const refused = { isError: true, text: "There is no block “memory”, only knowledge." };
    expect(await call(client, "read_memory", { label: "memory" })).toMatchObject(refused);
    const writing = { label: "memory", content: "Prefers herons" };
    expect(await call(client, "write_memory", writing)).toMatchObject({ isError: true });
    expect((await memory.read(notes)).content).toBe("Prefers pelicans");
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listPrompts()).prompts).toEqual([]);
    const brewing = { label: "skills", key: "brew" };
    expect(await call(client, "read_skill", brewing)).toMatchObject({ isError: true });
    const entry = await client.readResource({ uri: "grove://memory/knowledge/birds" });
    expect(entry.contents).toMatchObject([{ text: expect.stringContaining("Pelicans fish.") }]);
    await expect(client.readResource({ uri: "grove://memory/memory" })).rejects.toThrow();
  });

  test("reads blocks, entries and search results with their versions", {
    tags: "long",
  }, async () => {
    const { client, memory } = await newClient({ era });
    await memory.write(await blockId(memory, "memory"), { content: "Likes tea" });
    await memory.addEntry(await blockId(memory, "knowledge"), {
      title: "Green tea",
      description: "Brewing",
      content: "Steeps two minutes at 70 degrees.",
    });
    const { data } = await call(client, "list_memory");
    const blocks = data.blocks as unknown as { label: string }[];
    expect(blocks.map(({ label }) => label)).toEqual(["soul", "memory", "knowledge"]);
    expect(blocks[1]).toMatchObject({ kind: "text", editable: true, version: 1 });
    expect((await call(client, "read_memory", { label: "memory" })).data).toEqual({
      label: "memory",
      version: 1,
      content: "Likes tea",
    });
    const listed = await call(client, "list_memory_entries", { label: "knowledge" });
    expect(listed.data.entries).toMatchObject([{ key: "green-tea", description: "Brewing" }]);
    const entry = await call(client, "read_memory", { label: "knowledge", key: "green-tea" });
    expect(entry.data).toMatchObject({ title: "Green tea", version: 1 });
    const found = await call(client, "search_memory", { query: "steeps" });
    expect(found.data.found).toMatchObject([{ label: "knowledge", key: "green-tea" }]);
    expect(await call(client, "read_memory", { label: "knowledge" })).toMatchObject({
      isError: true,
      text: "“knowledge” has entries. List them, then read one by its key.",
    });
    expect(await call(client, "read_memory", { label: "none" })).toMatchObject({ isError: true });
  });

  test("searches chats with the operators of the search and reads any branch in pages", async () => {
    const made = await newClient({ era });
    const { client } = made;
    await teaChat(made);
    const found = await call(client, "search_chats", { query: "minutes role:assistant" });
    expect(found.data.found).toMatchObject([
      { chatId: "tea", place: "active", messageId: "a1b" },
      { chatId: "tea", place: "branch", messageId: "a1" },
    ]);
    expect((await call(client, "search_chats", { query: "in:nowhere tea" })).data.problems).toEqual(
      ["No chat has “nowhere” as its id or in its title."],
    );
    const logged = { program: { keyId: "k", name: "Agent", log: true } };
    await made.owner.store.sessions.create("Tea log", { id: "log", metadata: logged });
    expect((await call(client, "list_chats")).data.chats).toMatchObject([
      { id: "tea", title: "Tea" },
    ]);
    const branch = await call(client, "read_chat", { chatId: "tea", messageId: "a1" });
    expect(branch.data.messages).toMatchObject([
      { id: "q1", text: "How long does green tea steep?", otherVersions: [] },
      { id: "a1", text: "Two minutes.", otherVersions: ["a1b"] },
    ]);
    expect(await call(client, "read_chat", { chatId: "none" })).toMatchObject({ isError: true });
  });

  test("gets skills as prompts and as tools", { tags: "long" }, async () => {
    const { client, memory } = await newClient({ era });
    const skill = { title: "brew", description: "Brewing tea", content: "Warm the pot." };
    await memory.addEntry(await blockId(memory, "skills"), skill);
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: "brew", description: "Brewing tea", arguments: [{ name: "task" }] },
    ]);
    const prompt = await client.getPrompt({ name: "brew", arguments: { task: "For two" } });
    expect(prompt.messages).toEqual([
      { role: "user", content: { type: "text", text: "Warm the pot.\n\n# Task\n\nFor two" } },
    ]);
    await expect(client.getPrompt({ name: "none" })).rejects.toThrow("There is no skill “none”.");
    expect((await call(client, "list_skills")).data.skills).toMatchObject([{ key: "brew" }]);
    const read = await call(client, "read_skill", { label: "skills", key: "brew" });
    expect(read.data.content).toBe("Warm the pot.");
  });

  test("lists resources in pages and reads each", { tags: "long" }, async () => {
    const made = await newClient({ era });
    const { client, memory } = made;
    await teaChat(made);
    await memory.write(await blockId(memory, "memory"), { content: "Likes tea" });
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(["grove://memory/soul", "grove://memory/memory", "grove://chats/tea"]);
    const texts = await Promise.all(
      [...uris, "grove://chats/tea?leaf=a1"].map(async (uri) => {
        const [content] = (await client.readResource({ uri })).contents;
        return content && "text" in content ? content.text : "";
      }),
    );
    expect(texts[1]).toBe("Likes tea");
    expect(texts[2]).toContain("Three minutes.");
    expect(texts[3]).toContain("Two minutes.");
    const templates = (await client.listResourceTemplates()).resourceTemplates;
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "grove://memory/{label}/{key}",
      "grove://chats/{chatId}{?leaf}",
    ]);
    for (const uri of [
      "grove://memory/none",
      "grove://chats/none",
      "file:///etc/passwd",
      "grove://%/x",
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
  });
});

describe("a write over MCP", () => {
  test("waits for the person as a proposal under the program's name", async () => {
    const { client, owner, memory } = await newClient({ mcp: ["memory:propose"] });
    const proposed = await call(client, "write_memory", { label: "memory", content: "Likes tea" });
    expect(proposed.data).toEqual({ outcome: "proposed", label: "memory" });
    const id = await blockId(memory, "memory");
    expect((await memory.read(id)).content).toBe("");
    const [proposal] = await listProposals(owner, { status: "open" });
    expect(proposal).toMatchObject({ program: "Notebook", sessionId: null, after: "Likes tea" });
    await acceptProposal(owner, proposal?.id ?? "", {});
    expect(await memory.versions({ blockId: id })).toMatchObject([
      { content: "Likes tea", author: "program", program: "Notebook", proposed: true },
    ]);
  });

  test("is a version of the program, and the person restores the one before", {
    tags: "long",
  }, async () => {
    const { client, memory } = await newClient({ mcp: ["memory:read", "memory:write"] });
    const id = await blockId(memory, "memory");
    const { version } = await memory.write(id, { content: "Likes tea" });
    const change = { label: "memory", content: "Likes coffee", action: "replace" };
    expect(await call(client, "write_memory", change)).toMatchObject({
      isError: true,
      text: "Read it first and send its version to replace it, or append. Its version is 1.",
    });
    const written = await call(client, "write_memory", { ...change, version });
    expect(written.data).toMatchObject({ outcome: "written" });
    expect(await memory.versions({ blockId: id })).toMatchObject([
      { content: "Likes coffee", author: "program", program: "Notebook", proposed: false },
      { content: "Likes tea", author: "person" },
    ]);
    await memory.write(id, { content: "Likes tea", expectedVersion: 2 });
    expect((await memory.read(id)).content).toBe("Likes tea");
  });

  test("replaces no entry that the program has not read", async () => {
    const { client, memory } = await newClient({ mcp: ["memory:write"] });
    const id = await blockId(memory, "knowledge");
    await memory.addEntry(id, { title: "Green tea", content: "Two minutes." });
    const entry = { label: "knowledge", title: "Green tea", content: "None.", action: "replace" };
    expect(await call(client, "write_memory", entry)).toMatchObject({ isError: true });
    expect((await memory.entry(id, "green-tea")).content).toBe("Two minutes.");
    const written = await call(client, "write_memory", { ...entry, version: 1 });
    expect(written.data).toMatchObject({ outcome: "written", key: "green-tea" });
    expect((await memory.versions({ blockId: id, key: "green-tea" }))[0]?.program).toBe("Notebook");
  });

  test("of a skill waits for the person whatever the key may do", async () => {
    const { client, memory } = await newClient({ mcp: ["memory:write"] });
    const skill = { label: "skills", title: "brew", content: "Warm the pot." };
    expect((await call(client, "write_memory", skill)).data).toMatchObject({ outcome: "proposed" });
    expect(await memory.entries(await blockId(memory, "skills"))).toEqual([]);
  });

  test("is refused where only the person writes, and when it does not fit", async () => {
    const { client, owner } = await newClient({ mcp: ["memory:propose", "memory:write"] });
    for (const [label, content] of [
      ["soul", "x"],
      ["memory", "tea ".repeat(5_000)],
      ["none", "x"],
    ]) {
      expect((await call(client, "write_memory", { label, content })).isError).toBe(true);
    }
    expect(await owner.store.proposals.list()).toEqual([]);
  });

  test("stops at 50 open proposals of one program", { tags: "long" }, async () => {
    const { client, owner } = await newClient({ mcp: ["memory:propose"] });
    const write = (n: number) => call(client, "write_memory", { label: "memory", content: `${n}` });
    for (let n = 0; n < 50; n += 1) await write(n);
    expect(await write(50)).toMatchObject({
      isError: true,
      text: "50 suggestions of “Notebook” wait for the person already.",
    });
    expect(await owner.store.proposals.list()).toHaveLength(50);
  });
});

describe("the door of the MCP server", () => {
  test("shows an owner nothing of another", { tags: "long" }, async () => {
    const ada = await newClient();
    const bob = await newClient();
    await teaChat(ada);
    const id = await blockId(ada.memory, "memory");
    await ada.memory.write(id, { content: "Secret of Ada" });
    expect((await call(bob.client, "list_chats")).data.chats).toEqual([]);
    expect((await call(bob.client, "search_chats", { query: "tea" })).data.found).toEqual([]);
    expect((await call(bob.client, "search_memory", { query: "secret" })).data.found).toEqual([]);
    expect((await call(bob.client, "read_memory", { label: "memory" })).data.content).toBe("");
    expect((await call(bob.client, "read_chat", { chatId: "tea" })).isError).toBe(true);
    await expect(bob.client.readResource({ uri: "grove://chats/tea" })).rejects.toThrow();
    await call(bob.client, "write_memory", { label: "memory", content: "Bob's" });
    expect((await ada.memory.read(id)).content).toBe("Secret of Ada");
  });

  test.each([
    ["no key", {}],
    ["an unknown key", { Authorization: "Bearer grove_unknown" }],
    ["another scheme", { Authorization: "Basic Z3JvdmU6" }],
    ["a cookie in place of a key", { Cookie: "grove_owner=local" }],
  ])("answers %s with 401 and a challenge", async (_, headers) => {
    const response = await post(listTools, headers as Record<string, string>);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(await response.json()).toMatchObject({ error: "invalid_token" });
  });

  test("refuses a revoked key, one of another API, and the API a key of this one", async () => {
    const { client, owner, key, secret } = await newClient();
    await revokeKey(owner, key.id);
    await expect(client.listTools()).rejects.toThrow();
    const api = { ...apiScopes, usesApi: true, mcp: [] };
    const other = await createKey(owner, { name: "API", ...api });
    const response = await post(listTools, { Authorization: `Bearer ${other.secret}` });
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toContain("insufficient_scope");
    expect(secret).toMatch(/^grove_/);
  });

  test("refuses other hosts and pages of other sites, also with a key", async () => {
    const { secret } = await newClient();
    const key = { Authorization: `Bearer ${secret}` };
    expect((await post(listTools, { ...key, Origin: "https://evil.example" })).status).toBe(403);
    expect((await post(listTools, { ...key, "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    vi.stubEnv("PORT", "1");
    expect((await post(listTools, key)).status).toBe(403);
    vi.stubEnv("PORT", String(http.port));
    expect((await post(listTools, key)).status).toBe(200);
  });

  test("answers what it cannot read with the protocol's errors", async () => {
    const { secret } = await newClient();
    const key = { Authorization: `Bearer ${secret}` };
    const broken = await post("{", key);
    expect([broken.status, (await broken.json()).error.code]).toEqual([400, -32_700]);
    expect((await post(listTools, { ...key, "Content-Type": "text/plain" })).status).toBe(415);
    const old = { ...key, "MCP-Protocol-Version": "1999-01-01" };
    const wrong = await post(listTools, old);
    expect([wrong.status, (await wrong.json()).error.code]).toEqual([400, -32_000]);
    const unknown = { jsonrpc: "2.0", id: 1, method: "none", params: {} };
    expect(await (await post(JSON.stringify(unknown), key)).text()).toContain("-32601");
    for (const method of ["GET", "DELETE"]) {
      const response = await fetch(http.url, { method, headers: key });
      expect(response.status).toBe(405);
    }
  });

  test("stops reading a body of 100 MB and stores nothing of it", async () => {
    const { secret, owner } = await newClient();
    const key = { Authorization: `Bearer ${secret}` };
    const size = 100_000_000;
    const content = "x".repeat(1_000_000);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += content.length;
        if (sent > size) controller.close();
        else controller.enqueue(new TextEncoder().encode(content));
      },
    });
    const response = await post(body, key).catch(() => null);
    if (response) expect(response.status).toBe(413);
    expect(sent).toBeLessThan(size);
    expect(await owner.store.proposals.list()).toEqual([]);
  });

  test("lets a key make 600 requests a minute", { tags: "long" }, async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 60_000 });
    const { secret } = await newClient();
    const key = { Authorization: `Bearer ${secret}` };
    const statuses = new Set<number>();
    for (let n = 0; n < 620; n += 1) statuses.add((await post("{", key)).status);
    expect([...statuses]).toEqual([400, 429]);
    vi.setSystemTime(120_000);
    expect((await post(listTools, key)).status).toBe(200);
  });
});

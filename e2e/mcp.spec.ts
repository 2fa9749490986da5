import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { test } from "./support/test";

test.describe("Assistants that speak MCP", () => {
  test("one suggests a change to my memory: I see which, accept it, and undo it", async ({
    page,
    request,
    baseURL,
  }) => {
    await request.put("/api/blocks/memory", { data: { content: "- Lives by the sea" } });
    const secret = await makeKey(page, "Notebook", "Read, and suggest changes");
    const client = await connect(`${baseURL}/mcp`, secret);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("write_memory");
    const change = { label: "memory", content: "- Keeps bees" };
    const { structuredContent } = await client.callTool({
      name: "write_memory",
      arguments: change,
    });
    expect(structuredContent).toEqual({ outcome: "proposed", label: "memory" });

    await page.goto("/settings?section=blocks");
    const waiting = page.getByRole("article", { name: "Suggested change to memory" });
    await expect(waiting).toContainText("From Notebook");
    await expect(waiting).toContainText("Keeps bees");
    await expectAccessible(page, "a program's suggestion");
    // The list behind still has the version before.
    await page.route(/\/api\/blocks(\?|$)/, () => undefined);
    await waiting.getByRole("button", { name: "Accept" }).click();
    await expect(waiting).toBeHidden();

    await page.getByRole("button", { name: "History of Memory" }).click();
    const history = page.getByRole("dialog", { name: "History of Memory" });
    const versions = history.getByRole("list", { name: "Versions, newest first" });
    await expect(versions.getByRole("button").first()).toContainText("Notebook, accepted by you");
    await versions.getByRole("button").nth(1).click();
    await history.getByRole("button", { name: "Restore version 1" }).click();
    await expect(versions.getByRole("button").first()).toContainText("Version 3 · You");
    const read = await client.callTool({ name: "read_memory", arguments: { label: "memory" } });
    expect(read.structuredContent).toMatchObject({ content: "- Lives by the sea", version: 3 });
  });

  test("one writes into my memory: I am told in the open tab, and undo it with a click", async ({
    page,
    request,
    baseURL,
  }) => {
    await request.put("/api/blocks/memory", { data: { content: "- Lives by the sea" } });
    const client = await connect(
      `${baseURL}/mcp`,
      await makeKey(page, "Notebook", "Read and write"),
    );
    const events = page.waitForResponse((response) => response.url().includes("/api/events"));
    await page.goto("/");
    await events;
    const change = { label: "memory", content: "- Keeps bees" };
    await client.callTool({ name: "write_memory", arguments: change });
    await expect(page.getByText("Notebook wrote to Memory")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    const memory = async () => {
      const read = await client.callTool({ name: "read_memory", arguments: { label: "memory" } });
      return (read.structuredContent as { content: string }).content;
    };
    await expect.poll(memory).toBe("- Lives by the sea");
  });

  test("one finds and reads my chats, until I revoke its key", async ({ page, baseURL }) => {
    await page.goto("/settings?section=programs");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key" });
    await form.getByRole("textbox", { name: "Name" }).fill("Reader");
    await form.getByRole("switch", { name: "May use the API" }).click();
    await form.getByRole("button", { name: "Create" }).click();
    await expect(form.getByRole("alert")).toContainText("Choose what the program may use");
    await form.getByRole("switch", { name: "Search my chats" }).click();
    await form.getByRole("switch", { name: "Read my chats" }).click();
    await expectAccessible(page, "the dialog of a new key");
    const client = await connect(`${baseURL}/mcp`, await secretOf(page, "Reader"));
    const found = await client.callTool({ name: "search_chats", arguments: { query: "garden" } });
    const [first] = (found.structuredContent as { found: { chatId: string }[] }).found;
    expect(first).toBeDefined();
    const chat = await client.readResource({ uri: `grove://chats/${first?.chatId}` });
    expect(JSON.stringify(chat.contents)).toMatch(/garden/i);

    await expect(page.getByText("MCP: searches chats, reads chats")).toBeVisible();
    await page.getByRole("button", { name: "Revoke Reader" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
    await expect(client.listTools()).rejects.toThrow();
  });
});

async function makeKey(page: Page, name: string, memory: string): Promise<string> {
  await page.goto("/settings?section=programs");
  await expect(page.getByText(/\/mcp$/)).toBeVisible();
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByRole("combobox", { name: "My memory" }).click();
  await page.getByRole("option", { name: memory, exact: true }).click();
  return secretOf(page, name);
}

async function secretOf(page: Page, name: string): Promise<string> {
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  const shown = page.getByRole("dialog", { name: `The key of ${name}` });
  const secret = await shown.locator("code").first().innerText();
  await shown.getByRole("button", { name: "Done" }).click();
  return secret;
}

async function connect(url: string, secret: string): Promise<Client> {
  const client = new Client({ name: "story", version: "1" });
  const headers = { Authorization: `Bearer ${secret}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return client;
}

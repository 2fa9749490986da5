import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { test } from "./support/test";

test.describe("Assistants that speak MCP", () => {
  test("one finds and reads my chats, until I revoke its key", async ({ page, baseURL }) => {
    await page.goto("/settings?section=programs");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key" });
    await form.getByRole("textbox", { name: "Name" }).fill("Reader");
    await form.getByRole("switch", { name: "May use the API" }).click();
    await form.getByRole("button", { name: "Create" }).click();
    await expect(form.getByRole("alert")).toContainText("Choose what the program may use");
    await form.getByRole("switch", { name: "Search chats" }).click();
    await form.getByRole("switch", { name: "Read chats" }).click();
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

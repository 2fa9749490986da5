import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { siteAddress } from "./testing/page-environment";
import { secretOf } from "./testing/programs-page";
import { programFetch } from "./testing/server";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

describe("Assistants that speak MCP", () => {
  test("one suggests a change to my memory: I see which, accept it, and undo it", async ({
    page,
    request,
  }) => {
    await request.put("/api/blocks/memory", { data: { content: "- Lives by the sea" } });
    const secret = await makeKey(page, "Notebook", "Read, and suggest changes");
    const client = await connect(secret);
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

    await page.getByRole("button", { name: "History of About you" }).click();
    const history = page.getByRole("dialog", { name: "History of About you" });
    const versions = history.getByRole("list", { name: "Versions, newest first" });
    await expect(versions.getByRole("button").first()).toContainText("Notebook, accepted by you");
    await versions.getByRole("button").nth(1).click();
    await history.getByRole("button", { name: "Restore version 1" }).click();
    await expect(versions.getByRole("button").first()).toContainText("Version 3 · You");
    const read = await client.callTool({ name: "read_memory", arguments: { label: "memory" } });
    expect(read.structuredContent).toMatchObject({ content: "- Lives by the sea", version: 3 });
  });

  test("one writes into my memory: I am told in the open tab, and undo it with a click", {
    tags: "long",
  }, async ({ page, request }) => {
    await request.put("/api/blocks/memory", { data: { content: "- Lives by the sea" } });
    const client = await connect(await makeKey(page, "Notebook", "Read and write"));
    const events = page.waitForResponse(/\/api\/events/);
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
});

async function makeKey(page: StoryPage, name: string, memory: string): Promise<string> {
  await page.goto("/settings?section=programs");
  await expect(page.getByText(/\/mcp$/)).toBeVisible();
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByRole("combobox", { name: "Memory", exact: true }).click();
  await page.getByRole("option", { name: memory, exact: true }).click();
  return secretOf(page, name);
}

async function connect(secret: string): Promise<Client> {
  const client = new Client({ name: "story", version: "1" });
  const headers = { Authorization: `Bearer ${secret}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", siteAddress), {
      fetch: programFetch,
      requestInit: { headers },
    }),
  );
  return client;
}

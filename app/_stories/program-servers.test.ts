import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { endServer, startServer } from "./testing/server";
import { test } from "./testing/test";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "grove-programs-"));
  const args = ["lib/chat/mcp-client/testing/old-process.ts"];
  const env = { WAITS_FOR: join(folder, "ready"), API_KEY: "the-key-of-the-program-42" };
  const config = join(folder, "servers.json");
  await writeFile(config, JSON.stringify({ mcpServers: { Late: { command: "node", args, env } } }));
  await startServer({ GROVE_MCP_CONFIG: config });
});
afterAll(async () => {
  await endServer();
  await rm(folder, { recursive: true });
});

test("A program that did not start shows what it wrote, and is read again when I ask", async ({
  page,
}) => {
  await page.goto("/settings?section=tools");
  const again = page.getByRole("button", { name: "Read again: the tools of Late" });
  await again.click();
  await expect(page.getByText("“Late” ended before it answered.")).toBeVisible();
  await expect(page.getByText("Not ready yet")).toContainText("The key is [hidden]");
  await writeFile(join(folder, "ready"), "");
  await again.click();
  await expect(page.getByRole("radiogroup", { name: "weather" })).toBeVisible();
  await expect(page.getByText("“Late” ended before it answered.")).toBeHidden();
});

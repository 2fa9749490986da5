import { expect, type Page } from "@playwright/test";
import { type DialectServer, startDialectServer, words } from "@/lab/drill/dialects/dialect-server";
import { dialectNamed } from "@/lab/drill/dialects/dialect-table";
import { offerProvider } from "./support/api";
import { answers } from "./support/conversation";
import { ask, askFirst, openReceipt } from "./support/session-page";
import { test } from "./support/test";

let server: DialectServer;

test.beforeEach(async () => {
  server = await startDialectServer();
});
test.afterEach(() => server.close());

async function openModel(page: Page) {
  await page.goto("/settings?section=models");
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByRole("button", { name: "Edit m" }).click();
  return page.getByRole("dialog", { name: "m" });
}

test("A server that refuses tools answers without them, and I see that", async ({
  page,
  request,
}) => {
  const served = server.add({ dialect: dialectNamed("Ollama"), replies: [] });
  await offerProvider(request, { baseUrl: served.baseUrl, model: "m" });
  const answer = await askFirst(page, "Hello");
  await expect(answer).toContainText(words);
  const left = answer.getByRole("list", { name: "Left out" });
  await expect(left).toContainText("The server refused tools, so it was asked again without them.");
  const receipt = await openReceipt(page, answer);
  await expect(receipt).toContainText("does not support tools");
  await page.keyboard.press("Escape");

  await ask(page, "And again");
  expect(served.refusals).toHaveLength(1);
  await expect(answers(page).last().getByRole("list", { name: "Left out" })).toBeHidden();
  const dialog = await openModel(page);
  await expect(dialog).toContainText("registry.ollama.ai/library/m:latest does not support tools");
});

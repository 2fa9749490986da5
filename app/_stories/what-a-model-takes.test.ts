import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import {
  type DialectServer,
  type ServedCase,
  startDialectServer,
} from "@/lab/drill/dialects/dialect-server";
import { dialectNamed } from "@/lab/drill/dialects/dialect-table";
import { expectAccessible } from "./testing/accessible";
import { offerProvider } from "./testing/api";
import { questions } from "./testing/conversation";
import { ask, askFirst } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const picture = fileURLToPath(new URL("../../e2e/fixtures/files/leaf.png", import.meta.url));
let server: DialectServer;

test.beforeEach(async () => {
  server = await startDialectServer();
});
test.afterEach(() => server.close());

async function openModel(page: StoryPage) {
  await page.goto("/settings?section=models");
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByRole("button", { name: "Edit m" }).click();
  return page.getByRole("dialog", { name: "m" });
}

function attach(page: StoryPage): Promise<void> {
  return page.getByLabel("Attach files").and(page.locator("input")).setInputFiles(picture);
}

/** The request that a question was sent with. A title is asked for, too. */
function requestFor({ accepted }: ServedCase, question: string) {
  return accepted.find(({ messages }) =>
    messages.some(
      ({ role, content }) =>
        role === "user" &&
        JSON.stringify(content).includes(question) &&
        !JSON.stringify(content).includes("<question>"),
    ),
  );
}

test("I say what a model takes, and that is what it gets", { tags: "long" }, async ({
  page,
  request,
}) => {
  const served = server.add({ dialect: dialectNamed("Ollama with tools"), replies: [] });
  await offerProvider(request, { baseUrl: served.baseUrl, model: "m" });
  await askFirst(page, "With tools");
  expect(requestFor(served, "With tools")).toHaveProperty("tools");

  const dialog = await openModel(page);
  const tools = dialog.getByRole("radiogroup", { name: "Tools" });
  await expect(tools.getByRole("radio", { name: "Not known" })).toBeChecked();
  await tools.getByRole("radio", { name: "No", exact: true }).click();
  await dialog.getByRole("radiogroup", { name: "PDF" }).getByRole("radio", { name: "Yes" }).click();
  await expectAccessible(page, "a model's dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();

  await askFirst(page, "Without them");
  expect(requestFor(served, "Without them")).not.toHaveProperty("tools");
  await openModel(page);
  await expect(tools.getByRole("radio", { name: "No", exact: true })).toBeChecked();
  await expect(
    dialog.getByRole("radiogroup", { name: "PDF" }).getByRole("radio", { name: "Yes" }),
  ).toBeChecked();
  await dialog.getByRole("button", { name: "Reset to defaults" }).click();
  await expect(dialog).toBeHidden();
  await openModel(page);
  await expect(tools.getByRole("radio", { name: "Not known" })).toBeChecked();
});

test("I send a picture to a model that nobody knows, and am asked once", { tags: "long" }, async ({
  page,
  request,
}) => {
  const served = server.add({ dialect: dialectNamed("Ollama with tools"), replies: [] });
  await offerProvider(request, { baseUrl: served.baseUrl, model: "m" });
  await page.goto("/");
  await attach(page);
  const asking = page.getByRole("region", { name: "Images of this message" });
  await expect(asking).toContainText("Grove does not know whether m reads images.");
  await expectAccessible(page, "a picture to decide about");
  await asking.getByRole("button", { name: "Send" }).click();
  await expect(asking).toBeHidden();
  await ask(page, "What is it?");
  expect(JSON.stringify(requestFor(served, "What is it?"))).toContain("image_url");

  await page.goto("/");
  await attach(page);
  await expect(questions(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Remove leaf.png" })).toBeVisible();
  await expect(asking).toBeHidden();
});

test("I leave a picture out, and its message says so", async ({ page, request }) => {
  const served = server.add({ dialect: dialectNamed("Ollama with tools"), replies: [] });
  await offerProvider(request, { baseUrl: served.baseUrl, model: "m" });
  await page.goto("/");
  await attach(page);
  const asking = page.getByRole("region", { name: "Images of this message" });
  await asking.getByRole("button", { name: "Leave out" }).click();
  await expect(asking).toBeHidden();
  await expect(page.getByText("m takes no images.")).toBeVisible();
  const answer = await ask(page, "What is it?");
  expect(JSON.stringify(requestFor(served, "What is it?"))).not.toContain("image_url");
  const left = answer.getByRole("list", { name: "Left out" });
  await expect(left).toContainText("leaf.png");
  const dialog = await openModel(page);
  await expect(
    dialog
      .getByRole("radiogroup", { name: "Images" })
      .getByRole("radio", { name: "No", exact: true }),
  ).toBeChecked();
});

import type { LLMock } from "@copilotkit/aimock";
import { expect } from "vitest";
import { questions, startModelServer } from "@/e2e/support/model-server";
import type { SessionDetailWire } from "@/lib/chat/wire/sessions";
import { expectAccessible } from "./testing/accessible";
import { offerProvider } from "./testing/api";
import { answered, say } from "./testing/conversation";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

let server: LLMock;
test.beforeEach(async () => {
  server = await startModelServer({ models: ["house-model"] });
});
test.afterEach(() => server.stop());

const webSwitch = (page: StoryPage) =>
  page.getByRole("form", { name: "Message" }).getByRole("button", { name: "Search the web" });

/** The names of the tools that a question was sent with. */
function toolsOf(question: string): string {
  const bodies = server.getRequests().map(({ body }) => JSON.stringify(body ?? null));
  return bodies.find((body) => body.includes(question) && !body.includes("<question>")) ?? "";
}

test("I turn the web on for one chat, which keeps it, and others are without", async ({
  page,
  request,
}) => {
  await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model" });
  await request.patch("/api/settings", { data: { searchAddress: "http://localhost:9" } });
  await page.goto("/");
  await expect(webSwitch(page)).toHaveAttribute("aria-pressed", "false");
  await webSwitch(page).click();
  await expect(webSwitch(page)).toHaveAttribute("aria-pressed", "true");
  await say(page, questions.greeting);
  await answered(page);
  expect(toolsOf(questions.greeting)).toContain('"web_search"');
  await page.reload();
  await expect(webSwitch(page)).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page, "a chat with the web on");
  const chat = page.url();
  await page.goto("/");
  await expect(webSwitch(page)).toHaveAttribute("aria-pressed", "false");
  await page.goto(chat);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(webSwitch(page)).toBeHidden();
  await page.getByRole("button", { name: "Attach and more" }).click();
  const check = page.getByRole("menuitemcheckbox", { name: "Search the web" });
  await expect(check).toHaveAttribute("aria-checked", "true");
  await check.click();
  await expect(check).toHaveAttribute("aria-checked", "false");
  const stored = await request.get(`/api/sessions/${chat.split("/").at(-1)}`);
  expect((await stored.json<SessionDetailWire>()).session.parameters).toEqual({});
});

test("where pages alone may be read, I turn the web off for a chat and back", {
  tags: "long",
}, async ({ page, request }) => {
  await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model" });
  await request.patch("/api/tools", { data: { policies: { read_page: "on" } } });
  await page.goto("/");
  await expect(webSwitch(page)).toHaveAttribute("aria-pressed", "true");
  await webSwitch(page).click();
  await expect(webSwitch(page)).toHaveAttribute("aria-pressed", "false");
  await webSwitch(page).click();
  await say(page, questions.greeting);
  await answered(page);
  expect(toolsOf(questions.greeting)).toContain('"read_page"');
  expect(toolsOf(questions.greeting)).not.toContain('"web_search"');
});

test("without a search server, the model menu and the phone's menu say what the web needs", {
  tags: "long",
}, async ({ page, request }) => {
  await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model" });
  await page.goto("/");
  await page.getByRole("button", { name: "Model: house-model" }).click();
  const menu = page.getByRole("dialog", { name: "Choose a model" });
  await expect(menu.getByText(/Needs a search server/)).toBeVisible();
  await expect(menu.getByRole("link", { name: "Connections" })).toHaveAttribute(
    "href",
    "/settings?section=tools",
  );
  await page.keyboard.press("Escape");
  await expect(webSwitch(page)).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Attach and more" }).click();
  await page.getByRole("menuitem", { name: /^Set up web search/ }).click();
  await page.waitForURL(/section=tools/);
});

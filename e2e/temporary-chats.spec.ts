import { expect, type Page } from "@playwright/test";
import { answered, answers, composer, newWord, say, sessionIdOf } from "./support/conversation";
import { test } from "./support/test";

async function beginTemporary(page: Page, question: string): Promise<string> {
  await page.goto("/");
  await page.getByRole("button", { name: "Temporary chat" }).click();
  await expect(page.getByText("Deleted when you end it")).toBeVisible();
  await say(page, question);
  await page.waitForURL(/\/s\/temporary-/);
  await answered(page);
  return sessionIdOf(page);
}

test("A temporary chat is marked, in no list and no search, survives a reload, and ends when I say so", async ({
  page,
  request,
}) => {
  const word = newWord();
  const sessionId = await beginTemporary(page, `Tell me about ${word}`);
  await expect(page.getByRole("heading", { level: 1, name: "Temporary chat" })).toBeVisible();
  await expect(page).toHaveTitle(/Temporary chat/);
  const list = page.getByRole("complementary", { name: "Chats and search" });
  await expect(list.getByRole("link", { name: new RegExp(word) })).toHaveCount(0);
  const found = await request.get("/api/search", { params: { q: word } });
  expect(JSON.stringify((await found.json()).hits)).not.toContain(word);
  expect(await (await request.get("/api/export")).text()).not.toContain(word);

  await page.reload();
  await expect(answers(page)).toHaveCount(1);
  await say(page, "And another thing");
  await expect(answers(page)).toHaveCount(2);
  await answered(page);

  await page.getByRole("button", { name: "End", exact: true }).click();
  await expect(page.getByText("Temporary chat deleted")).toBeVisible();
  await expect(composer(page)).toBeVisible();
  const gone = await request.get(`/api/sessions/${sessionId}`);
  expect(gone.status()).toBe(404);
});

test("I keep a temporary chat, and it is one of mine, with a title and what I have not sent", async ({
  page,
}) => {
  const word = newWord();
  await beginTemporary(page, `Tell me about ${word}`);
  await composer(page).fill("Half a thought");
  await page.getByRole("button", { name: "Keep this chat" }).click();
  await page.waitForURL(/\/s\/(?!temporary-)/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(word);
  await expect(answers(page)).toHaveCount(1);
  await expect(composer(page)).toHaveValue("Half a thought");
  const list = page.getByRole("complementary", { name: "Chats and search" });
  await expect(list.getByRole("link", { name: new RegExp(word) })).toBeVisible();
});

test("A new chat made temporary keeps its model and its draft", async ({ page }) => {
  await page.goto("/");
  await composer(page).fill("Half a question");
  const picker = page.getByRole("button", { name: /^Model/ });
  await picker.click();
  await page.getByRole("option", { name: /Demo/ }).first().click();
  await page.keyboard.press("Escape");
  const chosen = await picker.innerText();
  const suggestions = page.getByRole("list", { name: "Suggestions" });
  await expect(suggestions.getByText("Remember something")).toBeVisible();
  await page.getByRole("button", { name: "Temporary chat" }).click();
  await expect(page.getByText("Deleted when you end it")).toBeVisible();
  await expect(composer(page)).toHaveValue("Half a question");
  await expect(picker).toHaveText(chosen);
  await expect(suggestions.getByText("Remember something")).toBeHidden();
  await expect(suggestions.getByRole("listitem")).toHaveCount(4);
});

test("Leaving a temporary chat lets it end, and memory stays read-only in it", async ({ page }) => {
  const sessionId = await beginTemporary(page, "Tell me about apples");
  await page.getByRole("button", { name: "Memory" }).first().click();
  await expect(page.getByText("reads memory but never changes it")).toBeVisible();
  const told = page.waitForRequest((request) => {
    const isPresence = request.url().endsWith(`/api/sessions/${sessionId}/presence`);
    return isPresence && (request.postData() ?? "").includes("false");
  });
  // Playwright does not see requests of a page that goes.
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  await told;
});

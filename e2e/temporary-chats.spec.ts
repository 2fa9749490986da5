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

test("Leaving a temporary chat lets it end, and it is without memory", async ({ page }) => {
  const sessionId = await beginTemporary(page, "Tell me about apples");
  await page.getByRole("button", { name: "Memory" }).first().click();
  await expect(page.getByText("neither reads nor changes your memory")).toBeVisible();
  const told = page.waitForRequest((request) => {
    const isPresence = request.url().endsWith(`/api/sessions/${sessionId}/presence`);
    return isPresence && (request.postData() ?? "").includes("false");
  });
  // Playwright does not see requests of a page that goes.
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  await told;
});

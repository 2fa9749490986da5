import { expect, type Page } from "@playwright/test";
import {
  answered,
  answers,
  composer,
  converse,
  newWord,
  questions,
  say,
} from "./support/conversation";
import { recordFrames } from "./support/frames";
import { test } from "./support/test";

test("I type my first message and read an answer that streams", async ({ page }) => {
  await page.goto("/");
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type("What is a branch of a maple tree?");
  await page.keyboard.press("Enter");

  await expect(questions(page)).toContainText("What is a branch of a maple tree?");
  await expect(page.getByRole("button", { name: "Stop writing" })).toBeVisible();
  await answered(page);
  await expect(page).toHaveURL(/\/s\/[\w-]+$/);
  await expect(answers(page)).toContainText("To see branches grow");
  await expect(composer(page)).toBeFocused();
});

test("my session gets a title and stands in the list, and a reload shows everything", async ({
  page,
}) => {
  const word = newWord();
  await page.goto("/");
  await say(page, `Which branch of the ${word} bends lowest?`);
  await answered(page);
  const sessions = page.getByRole("navigation", { name: "Chats" });
  const open = sessions.getByRole("link", { name: new RegExp(`branch of the ${word}`) });
  await expect(open).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`branch of the ${word}`);
  const text = await answers(page).innerText();

  await page.reload();
  await expect(questions(page)).toContainText(`Which branch of the ${word} bends lowest?`);
  await expect.poll(() => answers(page).innerText()).toBe(text);
  await expect(open).toHaveAttribute("aria-current", "page");
});

test("I go on asking, and I come back to it from the list", async ({ page }) => {
  const word = newWord();
  await page.goto("/");
  await say(page, `Which branch has ${word}?`);
  await answered(page);
  await say(page, "And now show me a table");
  await expect(questions(page)).toHaveCount(2);
  await expect(answers(page)).toHaveCount(2);
  await answered(page);
  await expect(answers(page).last().getByRole("table")).toBeVisible();

  await page.getByRole("link", { name: "New chat", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible();
  await page
    .getByRole("navigation", { name: "Chats" })
    .getByRole("link", { name: `Which branch has ${word}` })
    .click();
  await expect(answers(page)).toHaveCount(2);
});

for (const slowdown of [1, 4]) {
  test(`my first question stays where it appears, frame by frame, at 1/${slowdown} of full speed`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 1000 });
    await page.goto("/");
    await composer(page).fill("What is a branch of a maple tree?");
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
    await isIdle(page);
    await slowDown(page, slowdown);
    const stop = await recordFrames(page);
    await composer(page).press("Enter");
    await answered(page);
    await isIdle(page);
    const { frames, shifts } = await stop();

    const shown = frames.slice(frames.findIndex(({ questionTop }) => questionTop !== null));
    expect(frames[0]?.showsGreeting).toBe(true);
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.filter(({ showsGreeting }) => showsGreeting)).toHaveLength(0);
    expect(new Set(shown.map(({ questionTop }) => questionTop)).size).toBe(1);
    expect(new Set(shown.map(({ composerTop }) => composerTop)).size).toBe(1);
    expect(shifts).toEqual([]);
  });
}

test("my first message opens its chat, also when another tab of mine delivers it first", async ({
  page,
  context,
}) => {
  await page.goto("/");
  const other = await context.newPage();
  await other.goto("/usage");
  const heard = other.waitForResponse("**/messages");
  await page.route("**/messages", async (route) => {
    const response = await route.fetch();
    await (await heard).finished();
    await page.waitForTimeout(500);
    await route.fulfill({ response });
  });
  await say(page, "What is a branch of a linden tree?");
  await page.waitForURL(/\/s\//);
  await expect(questions(page)).toHaveCount(1);
  await answered(page);
});

async function slowDown(page: Page, rate: number): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate });
}

/** Waits until the browser has nothing to do. */
async function isIdle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
}

test("Back leads from a chat that has just begun to a new one, and Forward to the chat again", async ({
  page,
}) => {
  const greeting = page.getByRole("heading", { name: "What can I help with?" });
  await converse(page, "Does a branch of the rowan bear berries?");
  await page.goBack();
  await expect(greeting).toBeVisible();
  await page.goForward();
  await expect(questions(page)).toContainText("rowan");
  await page.getByRole("link", { name: "Usage" }).click();
  await expect(page).toHaveURL(/\/usage$/);
  await page.goBack();
  await expect(questions(page)).toContainText("rowan");
  await expect(page).toHaveURL(/\/s\/[\w-]+$/);

  await page.getByRole("link", { name: "New chat", exact: true }).first().click();
  await expect(greeting).toBeVisible();
  await say(page, "Does a branch of the sorb bear fruit?");
  await answered(page);
  await expect(questions(page)).toHaveCount(1);
  await expect(questions(page)).toContainText("sorb");
});

test("a first message that is refused goes back to the composer with all that was written since", async ({
  page,
}) => {
  const sentence = "This message is refused for a test.";
  await page.route("**/api/sessions/*/messages", (route) =>
    route.fulfill({ status: 400, json: { error: { code: "invalid-request", message: sentence } } }),
  );
  await page.goto("/");
  await say(page, "A first thought about branches");
  const refusal = page.getByRole("alert").filter({ hasText: sentence });
  await expect(refusal).toBeVisible();
  await say(page, "A second one, which waits");
  await composer(page).fill("A third one, half written");
  await refusal.getByRole("button", { name: "Edit" }).click();

  await expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible();
  await expect(composer(page)).toHaveValue(
    "A first thought about branches\n\nA second one, which waits\n\nA third one, half written",
  );
  await expect(page).toHaveURL(/\/$/);
});

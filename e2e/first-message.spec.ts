import { expect, type Page } from "@playwright/test";
import { answered, answers, composer, converse, questions, say } from "./support/conversation";
import { recordFrames } from "./support/frames";
import { test } from "./support/test";

test("I type my first message and read an answer that streams", { tag: "@essential" }, async ({
  page,
}) => {
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
    await heard;
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
  await page.getByRole("button", { name: /settings and usage$/ }).click();
  await page.getByRole("menuitem", { name: "Usage" }).click();
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

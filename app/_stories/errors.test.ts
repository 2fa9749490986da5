import { expect } from "vitest";
import { storedTexts } from "./testing/api";
import {
  answers,
  begin,
  composer,
  converse,
  questions,
  say,
  sessionIdOf,
} from "./testing/conversation";
import { test } from "./testing/test";

test("an answer that fails says why where it happened, and I can try again", {
  tags: "long",
}, async ({ page }) => {
  await begin(page, "Please simulate an error");
  const notice = answers(page).getByRole("alert");
  await expect(notice).toContainText("Try again in a moment");
  await expect(answers(page)).toContainText("I will begin an answer and then fail");
  await page.reload();
  await notice.getByRole("button", { name: "Retry" }).click();
  await expect(answers(page).getByRole("group", { name: "Version 2 of 2" })).toBeVisible();
  await expect(notice).toContainText("Try again in a moment");
});

test("what I was typing survives a reload", { tags: "long" }, async ({ page }) => {
  await page.goto("/");
  await composer(page).fill("Half a thought about");
  await page.reload();
  await expect(composer(page)).toHaveValue("Half a thought about");
  await converse(page, "Does a branch of ivy cling?");
  await composer(page).fill("Half a thought in here");
  await page.reload();
  await expect(composer(page)).toHaveValue("Half a thought in here");
});

test("a message the server refuses is kept with the reason, and I can try again", async ({
  page,
}) => {
  await page.goto("/");
  const sentence = "This message cannot be stored.";
  await page.route("**/api/sessions/*/messages", (route) =>
    route.fulfill({ status: 400, json: { error: { code: "invalid-body", message: sentence } } }),
  );
  await say(page, "A question about branches that is refused");
  const notice = page.getByRole("alert").filter({ hasText: "Not sent." });
  await expect(notice).toContainText(sentence);
  await page.unroute("**/api/sessions/*/messages");
  await page.getByRole("button", { name: "Retry" }).click();
  await page.waitForURL(/\/s\//);
  await expect(questions(page)).toContainText("that is refused");
  expect(sessionIdOf(page)).not.toBe("");
});

test("a message whose reply got lost is not stored twice", { tags: "long" }, async ({
  page,
  request,
}) => {
  const sessionId = await converse(page, "Is a branch of laurel fragrant?");
  let lost = 0;
  await page.route("**/api/sessions/*/messages", async (route) => {
    lost += 1;
    if (lost > 2) return route.fallback();
    // It reaches the server; only the reply does not come back.
    await route.fetch();
    return route.abort();
  });
  await say(page, "A question about branches sent again and again");
  await expect(answers(page)).toHaveCount(2);
  // The server's own news of the answer may spare the last try.
  await expect.poll(() => lost).toBeGreaterThanOrEqual(2);
  const stored = await storedTexts(request, sessionId);
  expect(stored.filter((text) => text.includes("sent again and again"))).toHaveLength(1);
  await expect(questions(page)).toHaveCount(2);
});

test("a message that the server has is shown once, also while its reply stays out", {
  tags: "long",
}, async ({ page }) => {
  await converse(page, "Is a branch of rowan heavy?");
  let isBack = false;
  await page.route("**/api/sessions/*/messages", async (route) => {
    if (isBack) return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await say(page, "A question about branches whose reply stays out");
  await expect(answers(page)).toHaveCount(2);
  await page.reload();
  await expect(answers(page)).toHaveCount(2);
  await expect(questions(page)).toHaveCount(2);

  isBack = true;
  // Nothing waits to be sent any more.
  await expect
    .poll(() => Object.keys(localStorage).filter((key) => /:outbox$/.test(key)))
    .toEqual([]);
  await expect(questions(page)).toHaveCount(2);
  await expect(answers(page)).toHaveCount(2);
  expect(new URL(page.url()).searchParams.get("leaf")).toBeNull();
});

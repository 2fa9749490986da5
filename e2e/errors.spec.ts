import { expect, type Page } from "@playwright/test";
import { storedTexts } from "./support/api";
import { answers, begin, composer, converse, questions, say } from "./support/conversation";
import { test } from "./support/test";

test("a rate limit is told apart from a fault", async ({ page }) => {
  await begin(page, "Please simulate a rate limit");
  const notice = answers(page).getByRole("alert");
  await expect(notice.getByRole("button", { name: /^Retry in [1-5] s$/ })).toBeVisible();
  await expect(notice).toContainText(/too many requests|limit/i);
  await expect(notice.getByRole("button", { name: "Retry", exact: true })).toBeVisible();
  await expect(notice.getByRole("button", { name: "Retry" })).toBeVisible();
});

test("what I type before the page's scripts have come is taken, and can be sent", async ({
  page,
}) => {
  const scripts = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await composer(page).fill("Is a branch of yew poisonous?");
  const send = page.getByRole("button", { name: "Send", exact: true });
  await expect(send).toBeDisabled();
  scripts.resolve();
  await expect(send).toBeEnabled();
  await expect(composer(page)).toHaveValue("Is a branch of yew poisonous?");
  await send.click();
  await expect(questions(page)).toContainText("Is a branch of yew poisonous?");
});

test("a message that cannot be sent is kept, also over a reload, and arrives exactly once", {
  tag: "@essential",
}, async ({ page, request }) => {
  const sessionId = await converse(page, "Is a branch of holly evergreen?");
  const reconnect = await loseSending(page);
  await say(page, "A question about branches on a bad line");
  await expect(page.getByRole("status").getByText("Can't reach Grove")).toBeVisible();
  await page.reload();
  await expect(questions(page).last()).toContainText("on a bad line");
  await expect(page.getByRole("status").getByText("Can't reach Grove")).toBeVisible();

  await reconnect();
  await expect(answers(page)).toHaveCount(2, { timeout: 30_000 });
  await expect(questions(page)).toHaveCount(2);
  const stored = await storedTexts(request, sessionId);
  expect(stored.filter((text) => text.includes("on a bad line"))).toHaveLength(1);
});

test("a session that does not exist says so and leads back", async ({ page }) => {
  const response = await page.goto("/s/no-such-session");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: /not/i })).toBeVisible();
  await page
    .getByRole("link", { name: /new chat/i })
    .first()
    .click();
  await expect(composer(page)).toBeVisible();
});

/** Cuts the way of every message to the server; returns how to open it again. */
async function loseSending(page: Page): Promise<() => Promise<void>> {
  const path = "**/api/sessions/*/messages";
  await page.route(path, (route) => route.abort("connectionrefused"));
  return () => page.unroute(path);
}

test("a page stays as it is when what it loads later cannot be fetched", async ({ page }) => {
  let isAway = false;
  let refused = 0;
  await page.route("**/_next/static/chunks/*.js", (route) => {
    if (!isAway) return route.continue();
    refused += 1;
    return route.abort();
  });
  await page.goto("/");
  isAway = true;
  // Until nothing more is asked for.
  for (let before = -1; before !== refused || refused === 0; ) {
    before = refused;
    await page.waitForTimeout(1_000);
  }
  await expect(composer(page)).toBeVisible();
  await expect(page.getByText("Something went wrong")).toBeHidden();
  await expect(page.getByRole("complementary", { name: "Chats and search" })).toBeVisible();
});

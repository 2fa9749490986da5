import { expect, type Locator, type Page } from "@playwright/test";
import { makeSession, readTranscript } from "./support/api";
import { answers, begin, converse, newWord } from "./support/conversation";
import { test } from "./support/test";

const sidebar = (page: Page) => page.getByRole("complementary", { name: "Chats and search" });
const link = (page: Page, title: string | RegExp) =>
  sidebar(page).getByRole("link", { name: title });

test("I pin a session, and it stands above the others, also after a reload", async ({
  page,
  request,
}) => {
  const [older, newer] = [`Older ${newWord()}`, `Newer ${newWord()}`];
  await makeSession(request, older);
  await makeSession(request, newer);
  await page.goto("/");
  await expect.poll(() => isAbove(link(page, newer), link(page, older))).toBe(true);
  await choose(page, older, "Pin");
  await expect(sidebar(page).getByRole("heading", { name: "Pinned" })).toBeVisible();
  await expect.poll(() => isAbove(link(page, older), link(page, newer))).toBe(true);
  await page.reload();
  await expect.poll(() => isAbove(link(page, older), link(page, newer))).toBe(true);
  await choose(page, older, "Unpin");
  await expect.poll(() => isAbove(link(page, newer), link(page, older))).toBe(true);
});

test("I rename a session in the list, and its page and its tab say so", {
  tag: "@essential",
}, async ({ page, request }) => {
  const [before, after] = [`Before ${newWord()}`, `After ${newWord()}`];
  await page.goto(`/s/${await makeSession(request, before)}`);
  await choose(page, before, "Rename");
  const field = sidebar(page).getByRole("textbox", { name: "Title" });
  await expect(field).toBeFocused();
  await field.fill("Not this");
  await field.press("Escape");
  await expect(link(page, before)).toBeFocused();

  await choose(page, before, "Rename");
  await field.fill(after);
  await field.press("Enter");
  await expect(link(page, after)).toBeFocused();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(after);
  await expect(page).toHaveTitle(new RegExp(after));
});

test("I delete the session I am in, and the console stays silent", async ({ page, request }) => {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${message.text()} ${message.location().url}`);
  });
  const sessionId = await converse(page, `What is a ${newWord()}?`);
  const row = sidebar(page).locator(`[data-session-link="${sessionId}"]`);
  const { promise: deleted, resolve: isDeleted } = Promise.withResolvers<void>();
  const { promise: underWay, resolve: isUnderWay } = Promise.withResolvers<void>();
  // A read that the page began just before reaches the server after the deletion.
  await page.route(`/api/sessions/${sessionId}`, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    isUnderWay();
    await deleted;
    await route.continue();
  });
  await request.patch(`/api/sessions/${sessionId}`, { data: { tags: [newWord()] } });
  await underWay;
  await chooseFor(page, row, "Delete");
  await expect(page).toHaveURL("/");
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toBeVisible();
  isDeleted();
  await undo.click();
  await expect(row).toBeVisible();
  expect(problems).toEqual([]);
});

test("I select chats with Shift, which opens no window, and the focus stays in the list", async ({
  page,
  request,
}) => {
  const [one, two] = [`Picked ${newWord()}`, `Picked ${newWord()}`];
  await makeSession(request, one);
  await makeSession(request, two);
  await page.goto("/");
  const list = sidebar(page);
  await list.getByRole("link", { name: two }).click({ modifiers: ["Shift"] });
  await list.getByRole("checkbox", { name: one }).click();
  const bar = list.getByRole("region", { name: "Selected chats" });
  await expect(bar).toContainText("2 chats");
  expect(page.context().pages()).toHaveLength(1);
  await bar.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("2 chats archived")).toBeVisible();
  await expect(bar).toBeHidden();
  await expect(list.locator("[data-session-link]:focus")).toHaveCount(1);
});

test("a session says while it writes, and when an answer came that I have not seen", async ({
  page,
  request,
}) => {
  const sessionId = await begin(page, "Write an endless essay about the hazel");
  await expect(answers(page)).toContainText("A walk");
  const row = sidebar(page).locator(`[data-session-link="${sessionId}"]`);
  await sidebar(page).getByRole("link", { name: "New chat", exact: true }).click();
  await expect(page).toHaveURL("/");
  await expect(row).toContainText("writing");

  const { runs } = await readTranscript(request, sessionId);
  const stopped = await request.post(`/api/sessions/${sessionId}/runs/${runs[0]?.id}/stop`, {
    data: {},
  });
  expect(stopped.ok()).toBe(true);
  await expect(row).toContainText("new answer");
  await row.click();
  await expect(answers(page)).toContainText("Stopped");
  await expect(row).not.toContainText("new answer");
});

test("with two hundred sessions the list is scrolled past them all, and only what is in view exists", async ({
  page,
  request,
}) => {
  const first = `The first of many ${newWord()}`;
  await makeSession(request, first);
  for (let n = 0; n < 200; n += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => makeSession(request, `One of many ${n + index}`)),
    );
  }
  await page.goto("/");
  await expect(link(page, /^One of many/).first()).toBeVisible();
  await expect.poll(() => link(page, /./).count()).toBeLessThan(100);
  await link(page, /^One of many/)
    .first()
    .hover();
  await expect(async () => {
    // Less than what is in view, because older sessions may lie below.
    await page.mouse.wheel(0, 300);
    await expect(link(page, first)).toBeInViewport({ timeout: 100 });
  }).toPass({ intervals: [50] });
});

function choose(page: Page, title: string, action: string): Promise<void> {
  return chooseFor(page, link(page, title), action);
}

/** Chooses from the menu beside a session's link. */
async function chooseFor(page: Page, row: Locator, action: string): Promise<void> {
  await row.hover();
  const line = row.locator("xpath=ancestor::*[@data-reveal][1]");
  await line.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

async function isAbove(upper: Locator, lower: Locator): Promise<boolean> {
  const [above, below] = [await upper.boundingBox(), await lower.boundingBox()];
  return above !== null && below !== null && above.y < below.y;
}

test.describe("Copying", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("I copy a whole chat as Markdown, from its menu", async ({ page }) => {
    const word = newWord();
    await converse(page, `Say something about ${word}`);
    await page
      .getByRole("banner")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "Copy as Markdown" }).click();
    await expect(page.getByText("Chat copied")).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`Say something about ${word}`);
    expect(copied).toContain("## Assistant");
  });
});

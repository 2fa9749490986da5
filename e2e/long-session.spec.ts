import { expect, type Page } from "@playwright/test";
import { fillSession, makeSession } from "./support/api";
import { conversation, isLive, questions } from "./support/conversation";
import { importAnswer } from "./support/import-answer";
import { test } from "./support/test";

const messageCount = 1_000;

test("a session of a thousand messages opens at its end and scrolls without growing the page", {
  tag: "@essential",
}, async ({ page, request, baseURL, owner }) => {
  test.setTimeout(180_000);
  const sessionId = await makeSession(request, "A thousand messages");
  await fillSession({ baseURL: baseURL ?? "", owner }, sessionId, messageCount);

  await page.goto(`/s/${sessionId}`);
  await expect(questions(page).last()).toBeInViewport();
  await isLive(page);
  for (let turn = 0; turn < 20; turn += 1) {
    const before = await topmost(page);
    await conversation(page).evaluate((element) => element.scrollBy(0, -4_000));
    await expect.poll(() => topmost(page)).not.toBe(before);
    expect(await questions(page).count()).toBeLessThan(120);
  }
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect(page.getByText("No answer yet.")).toBeInViewport();
});

test("a long chat is printed whole, in light colours, and nothing of it is cut", async ({
  page,
  request,
  baseURL,
  owner,
}) => {
  const sessionId = await makeSession(request, "On paper");
  await fillSession({ baseURL: baseURL ?? "", owner }, sessionId, 130);
  const code = `\`\`\`ts\n${"const leaf = tree.leaf; ".repeat(60)}\n\`\`\``;
  const answerId = await importAnswer(request, code);
  const isPrinting = () => page.evaluate(() => "printed" in window);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.addInitScript(() => {
    window.print = () => Object.assign(window, { printed: true });
  });
  await page.goto(`/s/${sessionId}`);
  await isLive(page);
  await page.keyboard.press("ControlOrMeta+p");
  await expect.poll(isPrinting).toBe(true);
  await page.emulateMedia({ media: "print" });
  const paper = page.locator(".paper");
  await expect(paper.locator("article")).toHaveCount(130);
  await expect(paper.locator("article").first()).toBeVisible();
  await expect(paper).toHaveCSS("color-scheme", "light");
  await expect(page.getByRole("banner")).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.goto(`/s/${answerId}`);
  await isLive(page);
  await page.keyboard.press("ControlOrMeta+p");
  await expect.poll(isPrinting).toBe(true);
  await page.emulateMedia({ media: "print" });
  const isCut = await paper
    .locator("pre")
    .evaluate((shown) => shown.scrollWidth > shown.clientWidth || shown.clientHeight < 100);
  expect(isCut).toBe(false);
});

/** The text of the first message in the list at the moment. */
function topmost(page: Page): Promise<string> {
  return questions(page).first().innerText();
}

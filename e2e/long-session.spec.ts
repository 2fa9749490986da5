import { expect, type Page } from "@playwright/test";
import { fillSession, makeSession } from "./support/api";
import { conversation, isLive, questions } from "./support/conversation";
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

/** The text of the first message in the list at the moment. */
function topmost(page: Page): Promise<string> {
  return questions(page).first().innerText();
}

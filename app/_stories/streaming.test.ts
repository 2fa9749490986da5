import { expect } from "vitest";
import {
  answered,
  answers,
  begin,
  composer,
  converse,
  questions,
  rewrite,
  say,
  versions,
} from "./testing/conversation";
import type { Locator } from "./testing/locator";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const stopButton = (page: StoryPage) => page.getByRole("button", { name: "Stop writing" });

// Stories that look at an answer in the middle ask for one without an end, and stop it: however slow the machine is, it
// has not ended before they looked.

test("a message written while an answer is written waits, I can change it, and Stop holds it", async ({
  page,
}) => {
  await begin(page, "Write an endless essay about the rowan");
  await hasWritten(answers(page), 50);
  await composer(page).fill("A queued question about branches");
  await page.getByRole("button", { name: "Send after this answer" }).click();
  const waiting = page.getByRole("list", { name: "Queued messages" });
  await expect(waiting.getByRole("listitem")).toHaveText("A queued question about branches");
  await waiting.getByRole("button", { name: "Edit" }).click();
  await expect(composer(page)).toHaveValue("A queued question about branches");
  await composer(page).fill("A better queued question about branches");
  await composer(page).press("Enter");
  await expect(waiting.getByRole("listitem")).toHaveText("A better queued question about branches");
  await expect(questions(page)).toHaveCount(1);

  await composer(page).fill("And another one");
  await composer(page).press("Enter");
  await expect(waiting.getByRole("listitem")).toHaveCount(2);

  await stopButton(page).click();
  await expect(answers(page).getByText("Stopped")).toBeVisible();
  await expect(waiting.getByRole("listitem")).toHaveCount(2);
  await waiting.getByRole("button", { name: "Send now" }).click();
  await expect(questions(page).nth(1)).toContainText("A better queued");
  // Its answer completes, so the next one is sent automatically.
  await expect(questions(page).nth(2)).toContainText("And another one");
  await expect(waiting).toBeHidden();
  await expect(answers(page)).toHaveCount(3);
  await answered(page);
});

test("a message that waits for an answer is not sent on another branch, unless I send it there", {
  tags: "long",
}, async ({ page }) => {
  await converse(page, "Does a branch of the larch lose its needles?");
  await rewrite(questions(page), "Write an endless essay about the larch", "Send");
  const switcher = versions(questions(page));
  await expect(switcher).toHaveText("2 / 2");
  await hasWritten(answers(page), 50);
  await say(page, "And which branch bears its cones?");
  const waiting = page.getByRole("list", { name: "Queued messages" });
  const sendNow = waiting.getByRole("button", { name: "Send now" });
  await expect(waiting).toBeVisible();

  await switcher.getByRole("button", { name: "Previous version" }).click();
  await expect(switcher).toHaveText("1 / 2");
  await expect(sendNow).toBeVisible();
  await page.reload();
  await expect(sendNow).toBeVisible();
  await expect(questions(page)).toHaveCount(1);

  await sendNow.click();
  await expect(questions(page)).toHaveCount(2);
  await expect(waiting).toBeHidden();
  await answered(page);
  await versions(questions(page).first()).getByRole("button", { name: "Next version" }).click();
  await stopButton(page).click();
  await expect(answers(page)).toContainText("Stopped");
});

/** Waits until an answer holds at least `count` characters. */
async function hasWritten(answer: Locator, count: number): Promise<void> {
  const length = () => answer.getByRole("paragraph").allTextContents();
  await expect.poll(async () => (await length()).join("").length).toBeGreaterThanOrEqual(count);
}

import { expect, type Locator, type Page } from "@playwright/test";
import { answered, answers, questions } from "./support/conversation";
import { openDrawer } from "./support/session-page";
import { test } from "./support/test";

test.describe("The first minute, with the demo model", () => {
  test("what it remembers is listed, and the call behind it says what it did and opens", {
    tag: "@essential",
  }, async ({ page }) => {
    const answer = await startWith(page, "Remember something");
    await expect(answer).toContainText(
      "I will remember that you prefer short answers and metric units.",
    );
    await expect(answer).not.toContainText("Written.");
    await expect(answer.getByRole("list", { name: "Memory changes" })).toContainText(
      "Wrote 1 line to Memory",
    );
    await answer.getByText("Wrote to Memory", { exact: true }).click();
    await expect(answer).toContainText("Written. Now ");
    const memory = (await openDrawer(page, "Memory")).getByRole("article", { name: "About you" });
    await expect(memory).toContainText("Prefers short answers and metric units");
  });
});

/** Chooses one of the ways to begin, sends it as it is and waits for the answer. */
async function startWith(page: Page, name: string): Promise<Locator> {
  await page.goto("/");
  const starters = page.getByRole("list", { name: "Suggestions" });
  await starters.getByRole("button", { name }).click();
  await page.getByRole("textbox", { name: "Message", exact: true }).press("Enter");
  await expect(questions(page)).toHaveCount(1);
  await answered(page);
  return answers(page).last();
}

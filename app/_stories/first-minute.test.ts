import { describe, expect } from "vitest";
import { answerAgain, answered, answers, questions, versions } from "./testing/conversation";
import type { Locator } from "./testing/locator";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

describe("The first minute, with the demo model", () => {
  test("a longer answer explains what was asked, and gives the session a whole title", {
    tags: "long",
  }, async ({ page }) => {
    const answer = await startWith(page, "A longer answer");
    await expect(answer).toContainText("deep roots draw up water");
    await expect(answer.getByRole("table")).toBeVisible();
    await expect(answer).toContainText("function share(");
    await expect(page.getByRole("heading", { level: 1 })).toContainText(
      "Explain how trees trade water through their roots…",
    );
  });

  test("two versions are two suggestions", { tags: "long" }, async ({ page }) => {
    const first = await startWith(page, "Try two versions");
    const name = first.getByRole("strong").first();
    const before = await name.innerText();
    await answerAgain(first);
    await expect(versions(answers(page))).toHaveAccessibleName("Version 2 of 2");
    await answered(page);
    await expect(name).not.toHaveText(before);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(
      "Suggest a name for a small bakery",
    );
  });

  test("a search finds what was said before, not its own question", async ({ page }) => {
    const answer = await startWith(page, "Search past chats");
    await expect(answer.getByRole("listitem").first()).toContainText("Example: a balcony garden");
    await expect(answer).not.toContainText("Search our earlier chats");
    await expect(answer).not.toContainText("[");
  });
});

/** Chooses one of the ways to begin, sends it as it is and waits for the answer. */
async function startWith(page: StoryPage, name: string): Promise<Locator> {
  await page.goto("/");
  const starters = page.getByRole("list", { name: "Suggestions" });
  await starters.getByRole("button", { name }).click();
  await page.getByRole("textbox", { name: "Message", exact: true }).press("Enter");
  await expect(questions(page)).toHaveCount(1);
  await answered(page);
  return answers(page).last();
}

import { expect, type Page, test } from "@playwright/test";
import {
  answered,
  answers,
  converse,
  newWord,
  questions,
  rewrite,
  versions,
} from "./support/conversation";

test("search finds a message on a branch I left, opens it there and marks it", async ({ page }) => {
  const word = newWord();
  await converse(page, `Where does a branch of ${word} ripen?`);
  await rewrite(questions(page), "Show me a table of pears", "Send");
  await answered(page);
  await page.getByRole("link", { name: "New chat", exact: true }).first().click();

  await search(page, word);
  await page.getByRole("option", { name: /^You .* on another branch/ }).click();

  await expect(questions(page)).toContainText(`Where does a branch of ${word} ripen?`);
  await expect(questions(page)).toHaveClass(/animate-flash/);
  await expect(versions(questions(page))).toHaveText("1 / 2");
  await expect(answers(page)).toContainText("To see branches grow");
});

test("search forgives a typing error", async ({ page }) => {
  const word = newWord();
  await converse(page, `Is a branch of ${word} crooked?`);
  const [first, second, third, fourth, ...rest] = word;
  await search(page, [first, second, fourth, third, ...rest].join(""));
  await expect(page.getByRole("option", { name: /^You .* crooked/ })).toContainText(word);
});

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search and commands" }).fill(words);
}

test("a filter that is none is said", async ({ page }) => {
  await page.goto("/");
  await search(page, "tea before:yesterday");
  await expect(
    page.getByText("“yesterday” is no date; write one like before:2026-01-31."),
  ).toBeVisible();
});

import { expect, type Page } from "@playwright/test";
import {
  answered,
  answers,
  converse,
  newWord,
  questions,
  rewrite,
  versions,
} from "./support/conversation";
import { test } from "./support/test";

test("search finds a message on a branch I left, opens it there and marks it", {
  tag: "@essential",
}, async ({ page }) => {
  const word = newWord();
  await converse(page, `Where does a branch of ${word} ripen?`);
  await rewrite(questions(page), "Show me a table of pears", "Send");
  await answered(page);
  await page.getByRole("link", { name: "New chat", exact: true }).first().click();

  await search(page, word);
  await page.getByRole("option", { name: /^You .* In another branch/ }).click();

  await expect(questions(page)).toContainText(`Where does a branch of ${word} ripen?`);
  await expect(questions(page)).toHaveClass(/animate-flash/);
  const marked = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get("found-words") ?? [])].map(
        ({ startContainer, startOffset, endOffset }) =>
          startContainer.textContent?.slice(startOffset, endOffset),
      ),
    );
  await expect.poll(marked).toContain(word);
  await expect(versions(questions(page))).toHaveText("1 / 2");
  await expect(answers(page)).toContainText("To see branches grow");
  await page.keyboard.press("Escape");
  await expect.poll(marked).toEqual([]);
});

test("what I type before the palette's code is there is kept", async ({ page }) => {
  const code = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    const text = await (await route.fetch()).text();
    if (text.includes("Search messages, memory and commands")) await code.promise;
    await route.continue();
  });
  // Not until the page is loaded: code that is on its way would be waited for, too.
  await page.goto("/settings?section=data", { waitUntil: "domcontentloaded" });
  await expect(page.getByRole("link", { name: "Export" })).toBeVisible();
  const field = page.getByRole("combobox", { name: "Search and commands" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("kettl ");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await expect(field).toBeHidden();
  code.resolve();
  await expect(field).toHaveValue("kettl");
  await expect(field).toBeFocused();
  await page.keyboard.type("es");
  await expect(field).toHaveValue("kettles");

  // With the code there, the field still takes a moment to have the focus.
  await page.keyboard.press("Escape");
  await expect(field).toBeHidden();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("tomatoes");
  await expect(field).toHaveValue("tomatoes");
});

async function search(page: Page, words: string): Promise<void> {
  const field = page.getByRole("combobox", { name: "Search and commands" });
  // A page that has just come may not listen yet.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(field).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await field.fill(words);
}

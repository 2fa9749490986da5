import { expect, test } from "@playwright/test";
import {
  act,
  answered,
  answers,
  converse,
  newWord,
  questions,
  say,
  sessionIdOf,
} from "./support/conversation";

test("I fork a session at a message, both know of each other, and the fork outlives its source", async ({
  page,
}) => {
  const word = newWord();
  const title = `Where to branch a ${word}`;
  const sourceId = await converse(page, `${title}?`);
  await say(page, "And a second branch question");
  await expect(answers(page)).toHaveCount(2);
  await answered(page);

  await act(page, answers(page).first(), "Fork to a new session");
  const dialog = page.getByRole("dialog", { name: "Fork to a new session" });
  await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue(`${title} (fork)`);
  await dialog.getByRole("textbox", { name: "Title" }).fill(`${word}, another way`);
  await dialog.getByRole("button", { name: "Fork", exact: true }).click();

  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${word}, another way`);
  await expect(answers(page)).toHaveCount(1);
  expect(sessionIdOf(page)).not.toBe(sourceId);
  await expect(page.getByRole("banner").getByRole("link", { name: `from ${title}` })).toBeVisible();

  await page.goto(`/s/${sourceId}`);
  await page.getByRole("button", { name: "1 fork" }).click();
  await page.getByRole("menuitem", { name: `${word}, another way` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${word}, another way`);

  await say(page, "Show me a table in the fork");
  await expect(answers(page)).toHaveCount(2);
  await answered(page);

  const forkAddress = page.url();
  await page.goto(`/s/${sourceId}`);
  await page
    .getByRole("banner")
    .getByRole("button", { name: `Actions for ${title}` })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("Session deleted")).toBeVisible();
  await page.goto(forkAddress);
  await expect(questions(page)).toHaveCount(2);
  await expect(questions(page).first()).toContainText(title);
  await expect(answers(page).last().getByRole("table")).toBeVisible();
});

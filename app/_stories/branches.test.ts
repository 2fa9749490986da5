import { expect } from "vitest";
import {
  answerAgain,
  answered,
  answers,
  composer,
  converse,
  questions,
  rewrite,
  versions,
} from "./testing/conversation";
import { test } from "./testing/test";

test("a question I rewrite and send begins a branch, and the old one keeps its answer", async ({
  page,
}) => {
  await converse(page, "What does a branch of the beech bear?");
  await rewrite(questions(page), "Show me a table of beeches", "Send");
  await expect(versions(questions(page))).toHaveText("2 / 2");
  await answered(page);
  await expect(answers(page).getByRole("table")).toBeVisible();

  await versions(questions(page)).getByRole("button", { name: "Previous version" }).click();
  await expect(questions(page)).toContainText("What does a branch of the beech bear?");
  await expect(answers(page)).toContainText("To see branches grow");
});

test("a question I rewrite and only save waits without an answer until I ask for one", {
  tags: "long",
}, async ({ page }) => {
  await converse(page, "How old is a branch of the yew?");
  await rewrite(questions(page), "How old is the oldest branch of the yew?", "Save");
  await expect(versions(questions(page))).toHaveText("2 / 2");
  await expect(answers(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Generate answer" }).click();
  await answered(page);
  await expect(answers(page)).toHaveCount(1);
});

test("a question asked after an older answer grows a branch from there", { tags: "long" }, async ({
  page,
}) => {
  await converse(page, "Where does a branch of the lime tree begin?");
  await composer(page).fill("A second question about the branch");
  await composer(page).press("Enter");
  await expect(answers(page)).toHaveCount(2);
  await answered(page);
  await answers(page).first().hover();
  await answers(page).first().getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Continue here" }).click();
  await expect(answers(page)).toHaveCount(1);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type("Show me a table instead");
  await page.keyboard.press("Enter");
  await expect(versions(questions(page).last())).toHaveText("2 / 2");
  await answered(page);
});

test("the first regenerate says that both answers are kept, and the third branch offers the tree, once", {
  tags: "long",
}, async ({ page }) => {
  const line = page
    .getByRole("status")
    .filter({ hasText: /Both answers are kept|several branches/ });
  await converse(page, "How tall is a beech?");
  await answerAgain(answers(page).last());
  await expect(line).toHaveText("Both answers are kept: ‹ 1 / 2 › goes between them.");
  await answered(page);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(line).toHaveCount(0);
  await answerAgain(answers(page).last());
  await expect(line).toHaveText("This chat has several branches.");
  await answered(page);
  await page.getByRole("button", { name: "Open tree" }).click();
  await expect(page.getByRole("tabpanel", { name: "Tree" })).toBeVisible();

  await converse(page, "How tall is an oak?");
  await answerAgain(answers(page).last());
  await answered(page);
  await answerAgain(answers(page).last());
  await expect(versions(answers(page).last())).toHaveText("3 / 3");
  await expect(line).toHaveCount(0);
});

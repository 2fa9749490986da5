import { expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { answered, composer, questions, say } from "./testing/conversation";
import { test } from "./testing/test";

test("Shift and Enter begin a line, and a path that starts with a slash is a message", async ({
  page,
}) => {
  await page.goto("/");
  await composer(page).pressSequentially("/etc/hosts is a branch");
  await composer(page).press("Shift+Enter");
  await composer(page).pressSequentially("of the file system");
  await composer(page).press("Enter");
  await page.waitForURL(/\/s\//);
  await expect(page.getByRole("article", { name: /^You/ })).toContainText("of the file system");
});

test("a phone has one menu beside the model, and Enter sends where the pointer is fine", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/");
  const form = page.getByRole("form", { name: "Message" });
  const more = form.getByRole("button", { name: "Attach and more" });
  await expect(form.getByRole("button", { name: "Attach files" })).toBeVisible();
  await expect(more).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(form.getByRole("button")).toHaveCount(3);
  await expectAccessible(page, "the composer of a phone");
  await more.click();
  await expect(page.getByRole("menuitem")).toHaveText([/^Attach files.*docx.*xlsx/]);
  await page.keyboard.press("Escape");

  await say(page, "birch ".repeat(2_600));
  await page.waitForURL(/\/s\//);
  await answered(page);
  await more.click();
  await page.getByRole("menuitem", { name: /^Context: \d+%/ }).click();
  await expect(page.getByRole("tabpanel", { name: "Context" })).toBeVisible();
  await page.keyboard.press("Escape");
  await composer(page).pressSequentially("Is it a tree?");
  await composer(page).press("Enter");
  await expect(questions(page)).toHaveCount(2);
});

test("a command that makes no sense in a new chat is answered there, and never sent", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/");
  const answer = page.getByRole("alert").filter({ hasText: /./ });
  for (const [command, sentence] of [
    ["/compact the garden", "Nothing to summarize yet."],
    ["/branch", "Nothing to branch from yet."],
    ["/find basil", "Nothing to search yet. Use /search to search all chats."],
  ] as const) {
    await say(page, command);
    await expect(answer).toHaveText(sentence);
    await expect(composer(page)).toHaveValue(command);
  }
  await say(page, "/new What grows in the shade?");
  await expect(composer(page)).toHaveValue("What grows in the shade?");
  await expect(answer).toBeHidden();
  await expect(page).toHaveURL(/\/$/);
  await expect(questions(page)).toHaveCount(0);
});

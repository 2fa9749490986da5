import { expect } from "vitest";
import { composer, questions, say } from "./testing/conversation";
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

test("a command that makes no sense in a new chat is answered there, and never sent", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/");
  const answer = page.getByRole("alert").filter({ hasText: /./ });
  for (const [command, sentence] of [
    ["/compact the garden", "Nothing to summarize yet."],
    ["/fork", "Nothing to fork yet."],
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

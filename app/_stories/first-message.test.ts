import { expect } from "vitest";
import { answered, answers, composer, newWord, questions, say } from "./testing/conversation";
import { test } from "./testing/test";

test("my session gets a title and stands in the list, and a reload shows everything", {
  tags: "long",
}, async ({ page }) => {
  const word = newWord();
  await page.goto("/");
  await say(page, `Which branch of the ${word} bends lowest?`);
  await answered(page);
  const sessions = page.getByRole("navigation", { name: "Chats" });
  const open = sessions.getByRole("link", { name: new RegExp(`branch of the ${word}`) });
  await expect(open).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`branch of the ${word}`);
  const text = await answers(page).innerText();

  await page.reload();
  await expect(questions(page)).toContainText(`Which branch of the ${word} bends lowest?`);
  await expect.poll(() => answers(page).innerText()).toBe(text);
  await expect(open).toHaveAttribute("aria-current", "page");
});

test("I go on asking, and I come back to it from the list", { tags: "long" }, async ({ page }) => {
  const word = newWord();
  await page.goto("/");
  await say(page, `Which branch has ${word}?`);
  await answered(page);
  await say(page, "And now show me a table");
  await expect(questions(page)).toHaveCount(2);
  await expect(answers(page)).toHaveCount(2);
  await answered(page);
  await expect(answers(page).last().getByRole("table")).toBeVisible();

  await page.getByRole("link", { name: "New chat", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible();
  await page
    .getByRole("navigation", { name: "Chats" })
    .getByRole("link", { name: `Which branch has ${word}` })
    .click();
  await expect(answers(page)).toHaveCount(2);
});

for (const _slowdown of [1, 4]) {
}

test("a first message that is refused goes back to the composer with all that was written since", async ({
  page,
}) => {
  const sentence = "This message is refused for a test.";
  await page.route("**/api/sessions/*/messages", (route) =>
    route.fulfill({ status: 400, json: { error: { code: "invalid-request", message: sentence } } }),
  );
  await page.goto("/");
  await say(page, "A first thought about branches");
  const refusal = page.getByRole("alert").filter({ hasText: sentence });
  await expect(refusal).toBeVisible();
  await say(page, "A second one, which waits");
  await composer(page).fill("A third one, half written");
  await refusal.getByRole("button", { name: "Edit" }).click();

  await expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible();
  await expect(composer(page)).toHaveValue(
    "A first thought about branches\n\nA second one, which waits\n\nA third one, half written",
  );
  await expect(page).toHaveURL(/\/$/);
});

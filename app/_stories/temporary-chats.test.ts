import { expect } from "vitest";
import {
  answered,
  answers,
  composer,
  converse,
  newWord,
  say,
  sessionIdOf,
} from "./testing/conversation";
import { openReceipt } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

async function beginTemporary(page: StoryPage, question: string): Promise<string> {
  await page.goto("/");
  await page.getByRole("button", { name: "Temporary chat" }).click();
  await expect(page.getByText("Deleted when you end it")).toBeVisible();
  await say(page, question);
  await page.waitForURL(/\/s\/temporary-/);
  await answered(page);
  return sessionIdOf(page);
}

test("I keep a temporary chat, and it is one of mine, with a title and what I have not sent", async ({
  page,
}) => {
  const word = newWord();
  await beginTemporary(page, `Tell me about ${word}`);
  await composer(page).fill("Half a thought");
  await page.getByRole("button", { name: "Keep this chat" }).click();
  await page.waitForURL(/\/s\/(?!temporary-)/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(word);
  await expect(answers(page)).toHaveCount(1);
  await expect(composer(page)).toHaveValue("Half a thought");
  const list = page.getByRole("complementary", { name: "Chats and search" });
  await expect(list.getByRole("link", { name: new RegExp(word) })).toBeVisible();
});

test("A temporary chat reads my memory only when I say so at its start", { tags: "long" }, async ({
  page,
}) => {
  const told = "short answers and metric units";
  await converse(page, `Please remember that I prefer ${told}.`);
  await beginTemporary(page, "How long do I boil an egg?");
  const receipt = () => openReceipt(page, answers(page).last());
  await expect(await receipt()).not.toContainText(told);

  await page.goto("/");
  await page.getByRole("button", { name: "Temporary chat" }).click();
  await page.getByRole("checkbox", { name: "Read my memory and knowledge" }).click();
  await expect(page.getByText("reads your memory and knowledge, changes neither")).toBeVisible();
  await say(page, "How long do I boil an egg?");
  await page.waitForURL(/\/s\/temporary-with-memory-/);
  await answered(page);
  await expect(await receipt()).toContainText(told);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keep this chat" }).click();
  await page.waitForURL(/\/s\/(?!temporary-)/);
  await expect(answers(page)).toHaveCount(1);
});

test("A new chat made temporary keeps its model and its draft", { tags: "long" }, async ({
  page,
}) => {
  await page.goto("/");
  await composer(page).fill("Half a question");
  const picker = page.getByRole("button", { name: /^Model/ });
  await picker.click();
  await page.getByRole("option", { name: /Demo/ }).first().click();
  await page.keyboard.press("Escape");
  const chosen = await picker.innerText();
  const suggestions = page.getByRole("list", { name: "Suggestions" });
  await expect(suggestions.getByText("Remember something")).toBeVisible();
  await page.getByRole("button", { name: "Temporary chat" }).click();
  await expect(page.getByText("Deleted when you end it")).toBeVisible();
  await expect(composer(page)).toHaveValue("Half a question");
  await expect(picker).toHaveText(chosen);
  await expect(suggestions.getByText("Remember something")).toBeHidden();
  await expect(suggestions.getByRole("listitem")).toHaveCount(4);
});

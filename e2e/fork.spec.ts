import { expect } from "@playwright/test";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { makeSession, store } from "./support/api";
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
import { test } from "./support/test";

test("I fork a session at a message, both know of each other, and the fork outlives its source", {
  tag: "@essential",
}, async ({ page }) => {
  const word = newWord();
  const title = `Where to branch a ${word}`;
  const sourceId = await converse(page, `${title}?`);
  await say(page, "And a second branch question");
  await expect(answers(page)).toHaveCount(2);
  await answered(page);

  await act(page, answers(page).first(), "Branch in new chat");
  const dialog = page.getByRole("dialog", { name: "Branch in new chat" });
  await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue(`${title} (branch)`);
  await dialog.getByRole("textbox", { name: "Title" }).fill(`${word}, another way`);
  await dialog.getByRole("button", { name: "Create", exact: true }).click();

  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${word}, another way`);
  await expect(answers(page)).toHaveCount(1);
  expect(sessionIdOf(page)).not.toBe(sourceId);
  await expect(page.getByRole("banner").getByRole("link", { name: `from ${title}` })).toBeVisible();

  await page.goto(`/s/${sourceId}`);
  await page.getByRole("button", { name: "continued in 1 chat" }).click();
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
  await expect(page.getByText("Chat deleted")).toBeVisible();
  await page.goto(forkAddress);
  await expect(questions(page)).toHaveCount(2);
  await expect(questions(page).first()).toContainText(title);
  await expect(answers(page).last().getByRole("table")).toBeVisible();
});

test("a fork's link to its source goes when the source is deleted elsewhere, and comes back with it", async ({
  page,
  context,
  request,
}) => {
  const word = newWord();
  const sourceId = await makeSession(request, `Source of ${word}`);
  const { entry } = await store(request, sourceId, `Shared by ${word}`);
  const made = await request.post(`/api/sessions/${sourceId}/fork`, {
    data: { messageId: entry.message.id, title: `Fork of ${word}` },
  });
  const fork: SessionWire = await made.json();

  await page.goto(`/s/${fork.id}`);
  const link = page.getByRole("banner").getByRole("link", { name: `from Source of ${word}` });
  await expect(link).toHaveAttribute("href", `/s/${sourceId}?hit=${entry.message.id}`);
  const other = await context.newPage();
  await other.goto(`/s/${sourceId}`);
  await expect(other.getByRole("button", { name: "continued in 1 chat" })).toBeVisible();

  await request.patch(`/api/sessions/${sourceId}`, { data: { title: `Spring of ${word}` } });
  const renamed = page.getByRole("banner").getByRole("link", { name: `from Spring of ${word}` });
  await expect(renamed).toBeVisible();
  await request.delete(`/api/sessions/${sourceId}`, { data: {} });
  await expect(renamed).toBeHidden();
  await request.post(`/api/sessions/${sourceId}/restore`, { data: {} });
  await expect(renamed).toBeVisible();

  await request.delete(`/api/sessions/${fork.id}`, { data: {} });
  await expect(other.getByRole("button", { name: "continued in 1 chat" })).toBeHidden();
});

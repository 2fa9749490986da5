import { expect } from "vitest";
import { readTranscript, storedTexts } from "./testing/api";
import {
  act,
  answerAgain,
  answered,
  answers,
  converse,
  questions,
  rewrite,
  say,
  versions,
} from "./testing/conversation";
import { test } from "./testing/test";

test("I delete a regenerated answer, and the one before it is shown and continued", {
  tags: "long",
}, async ({ page, request }) => {
  const sessionId = await converse(page, "Does a branch of lime bear fruit?");
  await answerAgain(answers(page));
  await expect(versions(answers(page))).toContainText("2 / 2");
  await answered(page);
  await act(page, answers(page), "Delete");
  await expect(page.getByText("Message deleted.")).toBeVisible();
  await expect(answers(page)).toHaveCount(1);
  await expect(page.getByText("No answer yet.")).toBeHidden();
  await say(page, "And when?");
  await expect(answers(page)).toHaveCount(2);
  await answered(page);
  const { entries } = await readTranscript(request, sessionId);
  expect(entries.map(({ message }) => message.role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
});

test("I bookmark a message, and it is still bookmarked after a reload", { tags: "long" }, async ({
  page,
}) => {
  await converse(page, "Does a branch of sage smell?");
  await act(page, answers(page), "Bookmark");
  await expect(answers(page)).toContainText("Bookmarked");
  await page.reload();
  await expect(answers(page)).toContainText("Bookmarked");
  await act(page, answers(page), "Remove bookmark");
  await expect(answers(page)).not.toContainText("Bookmarked");
});

test("what I send and edit is stored to the last space", { tags: "long" }, async ({
  page,
  request,
}) => {
  const code = "    indented by four\n\tthen by a tab, with  two spaces  \n";
  const sessionId = await converse(page, code);
  expect((await storedTexts(request, sessionId))[0]).toBe(code);
  await rewrite(questions(page), `  ${code}`, "Send");
  await answered(page);
  expect((await storedTexts(request, sessionId))[0]).toBe(`  ${code}`);
});

test("I delete a message, the path closes over it, and Undo puts it back", async ({
  page,
  request,
}) => {
  const sessionId = await converse(page, "Has a branch of mint a square stem?");
  await say(page, "And the branch of thyme?");
  await expect(answers(page)).toHaveCount(2);
  await answered(page);
  const before = await readTranscript(request, sessionId);

  await act(page, answers(page).first(), "Delete");
  await expect(answers(page)).toHaveCount(1);
  await expect(questions(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(answers(page)).toHaveCount(2);
  const after = await readTranscript(request, sessionId);
  expect(after.entries).toEqual(before.entries);
});

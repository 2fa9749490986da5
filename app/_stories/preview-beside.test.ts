import { expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { importTurns, storedTexts } from "./testing/api";
import { answers, versions } from "./testing/conversation";
import { openDrawer } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const lines = (word: string) => Array.from({ length: 30 }, (_, at) => `${word} ${at}`).join("\n");
const answer = `Before it.\n\n\`\`\`js\n${lines("apple")}\n\`\`\`\n\nAfter it.`;

const beside = (page: StoryPage) => page.getByRole("region", { name: "Preview" });
const open = (page: StoryPage) => answers(page).first().getByRole("button", { name: "Expand" });

test("I edit code beside the chat: a version of its answer, and the first stays", async ({
  page,
  request,
}) => {
  const id = await importTurns(request, ["Fruit?", answer]);
  await page.goto(`/s/${id}`);
  await open(page).click();
  await expect(beside(page)).toBeFocused();
  await expect(beside(page)).toContainText("apple 29");
  await expectAccessible(page, "code beside the chat");

  await beside(page).getByRole("button", { name: "Edit code" }).click();
  await beside(page).getByRole("textbox", { name: "Code" }).fill(lines("pear"));
  await beside(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(beside(page)).toContainText("pear 29");
  await expect(versions(beside(page))).toContainText("2 / 2");
  await expect(answers(page).first()).toContainText("Edited by you");
  expect((await storedTexts(request, id)).at(-1)).toBe(answer.replaceAll("apple", "pear"));

  await versions(beside(page)).getByRole("button", { name: "Previous version" }).click();
  await expect(beside(page)).toContainText("apple 29");
  await expect(answers(page).first()).toContainText("apple 29");
  await page.keyboard.press("Escape");
  await expect(beside(page)).toBeHidden();
});

test("an answer has one editor at a time, and keeps what I typed in it", {
  tags: "long",
}, async ({ page, request }) => {
  await page.goto(`/s/${await importTurns(request, ["Fruit?", answer])}`);
  await open(page).click();
  const inChat = answers(page).first().getByRole("textbox", { name: "Edit the answer" });
  const inPanel = beside(page).getByRole("textbox", { name: "Code" });
  const pencil = beside(page).getByRole("button", { name: "Edit code" });
  const editInChat = answers(page).first().getByRole("button", { name: "Edit", exact: true });

  await editInChat.click();
  await inChat.fill("Typed in the chat.");
  await expect(pencil).toBeHidden();
  await expect(beside(page)).toContainText("You're editing this answer in the chat.");
  await answers(page).first().getByRole("button", { name: "Cancel" }).click();

  await pencil.click();
  await inPanel.fill("typed beside it");
  await editInChat.click();
  await expect(page.getByText("You're editing code of this answer beside the chat.")).toBeVisible();
  await expect(inChat).toBeHidden();
  await expect(inPanel).toHaveValue("typed beside it");
  await beside(page).getByRole("button", { name: "Close preview" }).click();
  await editInChat.click();
  await expect(inChat).toHaveValue(answer.replace(lines("apple"), "typed beside it"));
});

test("an edit of the second of two equal blocks leaves the first", { tags: "long" }, async ({
  page,
  request,
}) => {
  const id = await importTurns(request, ["Fruit?", `${answer}\n\n${answer}`]);
  await page.goto(`/s/${id}`);
  await open(page).last().click();
  await beside(page).getByRole("button", { name: "Edit code" }).click();
  await beside(page).getByRole("textbox", { name: "Code" }).fill("pear");
  await beside(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(versions(beside(page))).toContainText("2 / 2");
  const changed = answer.replace(lines("apple"), "pear");
  expect((await storedTexts(request, id)).at(-1)).toBe(`${answer}\n\n${changed}`);
});

test("I edit code of a list, whose text stays as it was", { tags: "long" }, async ({
  page,
  request,
}) => {
  const inList = `1. First:\n\n   \`\`\`js\n   ${lines("apple").replaceAll("\n", "\n   ")}\n   \`\`\`\n2. Then`;
  const id = await importTurns(request, ["Fruit?", inList]);
  await page.goto(`/s/${id}`);
  await open(page).click();
  await beside(page).getByRole("button", { name: "Edit code" }).click();
  await beside(page).getByRole("textbox", { name: "Code" }).fill(lines("pear"));
  await beside(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(versions(beside(page))).toContainText("2 / 2");
  expect((await storedTexts(request, id)).at(-1)).toBe(inList.replaceAll("apple", "pear"));
});

test("code of a comparison opens over it, to read and to copy", { tags: "long" }, async ({
  page,
  request,
}) => {
  const id = await importTurns(request, ["Fruit?", answer, "More?", answer]);
  await page.goto(`/s/${id}/compare?left=${id}-3&right=${id}-1`);
  await page.getByRole("button", { name: "Expand" }).click();
  const over = page.getByRole("dialog", { name: "Preview" });
  await expect(over).toContainText("apple 29");
  await expect(over.getByRole("button", { name: "Edit code" })).toBeHidden();
  await expectAccessible(page, "code over a comparison");
  await over.getByRole("button", { name: "Close preview" }).click();
  await expect(over).toBeHidden();
});

test("the panel closes by Escape, gives the focus back, and makes place for the drawer", {
  tags: "long",
}, async ({ page, request }) => {
  await page.goto(`/s/${await importTurns(request, ["Fruit?", answer])}`);
  await open(page).click();
  await expect(beside(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(beside(page)).toBeHidden();
  await expect(open(page)).toBeFocused();
  await open(page).click();
  await openDrawer(page, "Context");
  await expect(beside(page)).toBeHidden();
});

test("a page runs beside the chat only where I opened it, in the closed frame", {
  tags: "long",
}, async ({ page, request }) => {
  const html = `\`\`\`html\n<p>Seed</p>\n\`\`\``;
  await page.goto(`/s/${await importTurns(request, ["A page?", html])}`);
  expect(document.querySelectorAll("iframe")).toHaveLength(0);
  await open(page).click();
  await expect(beside(page)).toBeVisible();
  const frame = document.querySelector("iframe");
  expect(frame?.getAttribute("sandbox")).toBe("allow-scripts allow-forms");
  expect(document.querySelectorAll("iframe")).toHaveLength(1);
  await beside(page).getByRole("button", { name: "Code", exact: true }).click();
  await expect(beside(page)).toContainText("<p>Seed</p>");
  expect(document.querySelectorAll("iframe")).toHaveLength(0);
});

import { describe, expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { makeSession, readTranscript, store } from "./testing/api";
import { composer, newWord, questions } from "./testing/conversation";
import { openDrawer } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import type { StoryRequest } from "./testing/test";
import { test } from "./testing/test";

describe("Bringing something along to another branch", () => {
  test("my own summary outlasts Escape, and Undo brings it back after the model replaced it", {
    tags: "long",
  }, async ({ page, request }) => {
    const { sessionId, word } = await journey(page, request);
    await chooseInTree(page, "By train");
    const offer = page.getByRole("button", { name: "Carry context over…" });
    await offer.click();
    const dialog = page.getByRole("dialog", { name: "Carry context over" });
    const summary = dialog.getByRole("textbox", { name: "Summary" });
    await summary.fill("Mine");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await offer.click();
    await expect(summary).toHaveValue("Mine");
    await expect(dialog.getByText("Unsaved changes from last time.")).toBeVisible();

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/notes/draft", async (route) => {
      await released;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Write it again" }).click();
    await summary.fill("Mine, typed meanwhile");
    await expect(dialog.locator("dl")).toHaveText("FromBy train?ToWe go to the sea");
    await dialog.getByRole("radio", { name: "Messages" }).click();
    release();
    await dialog.getByRole("radio", { name: "A summary" }).click();
    await expect(summary).toHaveValue(new RegExp(word));
    await dialog.getByRole("button", { name: "Undo" }).click();
    await expect(summary).toHaveValue("Mine, typed meanwhile");
    await dialog.getByRole("button", { name: "Write it again" }).click();
    await expect(summary).toHaveValue(new RegExp(word));
    await summary.fill("");
    await summary.fill("Mine after all");
    await dialog.getByRole("button", { name: "Add note" }).click();
    await expect(notes(page)).toContainText("Mine after all");
    const stored = await readTranscript(request, sessionId);
    const note = stored.entries.at(-1)?.message.metadata?.note;
    expect(note).toMatchObject({ kind: "summary" });
    expect(note).not.toHaveProperty("model");
  });

  test("I pick messages, take them back, and the branch is as it was", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const { sessionId, word } = await journey(page, request);
    await chooseInTree(page, "By train");
    await page.getByRole("button", { name: "Carry context over…" }).click();
    const dialog = page.getByRole("dialog", { name: "Carry context over" });
    await dialog.getByRole("radio", { name: "Messages" }).click();
    const offered = dialog.getByRole("checkbox");
    await expect(offered).toHaveCount(2);
    await expect(dialog.getByRole("button", { name: "Add note" })).toBeDisabled();
    await offered.last().check();
    await expectAccessible(page, "messages to carry over");
    await dialog.getByRole("button", { name: "Add note" }).click();
    await expect(notes(page)).toContainText(`The ${word} leaves at nine`);
    await expect(notes(page)).not.toContainText("By train");
    const stored = await readTranscript(request, sessionId);
    expect(stored.entries.at(-1)?.message.metadata?.note).toMatchObject({ kind: "messages" });

    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(notes(page)).toHaveCount(0);
    await expect
      .poll(async () => (await readTranscript(request, sessionId)).entries.length)
      .toBe(1);
  });

  test("going elsewhere asks nothing, and the offer can be waved away", async ({
    page,
    request,
  }) => {
    await journey(page, request);
    const offer = page.getByRole("button", { name: "Carry context over…" });
    await expect(offer).toBeHidden();
    await chooseInTree(page, "By train");
    await expect(offer).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await expect(offer).toBeHidden();
  });

  test("choosing it in the tree moves nothing before I confirm", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const { sessionId, word } = await journey(page, request);
    const before = await readTranscript(request, sessionId);
    await chooseFromTreeMenu(page, "By train");
    const dialog = page.getByRole("dialog", { name: "Carry context over" });
    await dialog.getByRole("radio", { name: "Messages" }).click();
    await expect(dialog.getByRole("checkbox")).toHaveCount(2);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    await expect(questions(page)).toHaveCount(3);
    await expect(composer(page)).toHaveValue("");
    expect(await readTranscript(request, sessionId)).toEqual(before);

    await chooseFromTreeMenu(page, "By train");
    await dialog.getByRole("textbox", { name: "Summary" }).fill(`The ${word} is late.`);
    await dialog.getByRole("button", { name: "Add note" }).click();
    await expect(notes(page)).toContainText(`The ${word} is late.`);
    await expect(questions(page)).toHaveCount(1);
    await expect(composer(page)).toHaveValue("By train?");
    await page.goBack();
    await expect(questions(page)).toHaveCount(3);
  });

  test("a summary that fails changes nothing and says so", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const { sessionId } = await journey(page, request);
    const broken = { code: "summary-failed", message: "The summary could not be written." };
    await page.route("**/notes/draft", (route) =>
      route.fulfill({ status: 502, json: { error: broken } }),
    );
    await chooseInTree(page, "By train");
    // The active leaf is stored after it is shown.
    await expect
      .poll(async () => (await readTranscript(request, sessionId)).entries.length)
      .toBe(1);
    const before = await readTranscript(request, sessionId, { overlays: "0" });
    await page.getByRole("button", { name: "Carry context over…" }).click();
    const dialog = page.getByRole("dialog", { name: "Carry context over" });
    await dialog.getByRole("button", { name: "Write it for me" }).click();
    await expect(dialog.getByRole("alert")).toContainText("Nothing changed");
    await page.keyboard.press("Escape");
    await expect(notes(page)).toHaveCount(0);
    await expect(composer(page)).toHaveValue("By train?");
    expect(await readTranscript(request, sessionId, { overlays: "0" })).toEqual(before);
  });
});

function notes(page: StoryPage) {
  return page.getByRole("article", { name: /^Note/ });
}

async function chooseInTree(page: StoryPage, name: string): Promise<void> {
  const panel = await openDrawer(page, "Tree");
  await panel.getByRole("treeitem", { name: new RegExp(`^You: ${name}`) }).click();
}

async function chooseFromTreeMenu(page: StoryPage, name: string): Promise<void> {
  const panel = await openDrawer(page, "Tree");
  const row = panel.getByRole("treeitem", { name: new RegExp(`^You: ${name}`) });
  await row.hover();
  await row.getByRole("button", { name: "Actions for this message" }).click();
  await page.getByRole("menuitem", { name: /Carry context over/ }).click();
}

/** A start with two ways on: by train, which ends in a detail and is in view, and by boat. */
async function journey(page: StoryPage, request: StoryRequest) {
  const word = newWord();
  const sessionId = await makeSession(request, "To the sea");
  const { entry } = await store(request, sessionId, "We go to the sea");
  const parentId = entry.message.id;
  await store(request, sessionId, "By train?", { id: crypto.randomUUID(), parentId });
  const detail = await store(request, sessionId, `The ${word} leaves at nine`);
  await store(request, sessionId, "By boat?", { id: crypto.randomUUID(), parentId });
  await request.patch(`/api/sessions/${sessionId}`, {
    data: { activeLeafId: detail.entry.message.id },
  });
  await page.goto(`/s/${sessionId}`);
  await expect(questions(page)).toHaveCount(3);
  return { sessionId, word };
}

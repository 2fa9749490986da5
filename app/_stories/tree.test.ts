import { describe, expect } from "vitest";
import type { ContextWire } from "@/lib/chat/wire/context";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { expectAccessible } from "./testing/accessible";
import { makeSession, readTranscript, store, storedTexts } from "./testing/api";
import { act, answers, composer, newWord, questions, sessionIdOf } from "./testing/conversation";
import type { Locator } from "./testing/locator";
import { ask, openDrawer } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import type { StoryRequest } from "./testing/test";
import { test } from "./testing/test";

describe("The tree", () => {
  test("choosing my message puts its text into the composer, to ask it differently", {
    tags: "long",
  }, async ({ page, request }) => {
    const tree = await openTree(page, request);
    await tree.getByRole("treeitem", { name: /Second stop/ }).click();
    await expect(composer(page)).toHaveValue("Second stop");
    await expect(questions(page)).toHaveCount(1);

    await ask(page, "A second stop by boat");
    await expect(questions(page)).toHaveText([/First stop/, /A second stop by boat/]);
    await expect(
      questions(page).last().getByRole("group", { name: "Version 2 of 2" }),
    ).toBeVisible();
    await expect(tree.getByRole("treeitem", { name: /Third stop/ }).first()).toBeVisible();
  });

  test("choosing my first question says so, everywhere, and Esc brings me back", {
    tags: "long",
  }, async ({ page, request }) => {
    const tree = await openTree(page, request);
    const chooseFirst = () => tree.getByRole("treeitem", { name: /First stop/ }).click();
    const gaugeRead = page.waitForResponse(/\/context\?start=1$/);
    await chooseFirst();
    const { gauge: atStart }: ContextWire = await (await gaugeRead).json();
    expect(atStart.parts.map(({ source }) => source)).not.toContain("messages");
    const notice = page.getByText("Editing your first question");
    await expect(notice).toBeVisible();
    await expect(composer(page)).toHaveValue("First stop");
    await expect(tree.getByRole("treeitem", { selected: true })).toHaveCount(0);
    await expectAccessible(page, "before the first question");

    await page.keyboard.press("Escape");
    await expect(questions(page)).toHaveText([/First stop/, /Second stop/, /Third stop/]);
    await expect(composer(page)).toHaveValue("");
    await expect(tree.getByRole("treeitem", { selected: true })).toHaveText(/Third stop/);

    await chooseFirst();
    await expect(composer(page)).toHaveValue("First stop");
    await composer(page).fill("Another first stop");
    await page.getByRole("button", { name: "Back" }).click();
    await expect(questions(page)).toHaveCount(3);
    await expect(composer(page)).toHaveValue("Another first stop");
  });

  test("going back from a question takes its copy out of the composer", {
    tags: "long",
  }, async ({ page, request }) => {
    const tree = await openTree(page, request);
    const goBacks = [
      () => page.goBack(),
      () => page.getByRole("button", { name: "Back", exact: true }).click(),
    ];
    for (const goBack of goBacks) {
      await tree.getByRole("treeitem", { name: /Second stop/ }).click();
      await expect(composer(page)).toHaveValue("Second stop");
      await goBack();
      await expect(questions(page)).toHaveCount(3);
      await expect(composer(page)).toHaveValue("");
    }
  });

  test("choosing an answer goes on after it", { tags: "long" }, async ({ page, request }) => {
    const tree = await openTree(page, request);
    await composer(page).fill("");
    await ask(page, "Where does this line end?");
    await ask(page, "And after that?");
    await tree
      .getByRole("treeitem", { name: /^Answer: / })
      .first()
      .click();
    await expect(answers(page)).toHaveCount(1);
    await ask(page, "What else is there?");
    await expect(questions(page).last()).toContainText("What else is there?");
    await expect(questions(page).filter({ hasText: "And after that?" })).toHaveCount(0);
    await expect(tree.getByRole("treeitem", { name: /^You: And after that/ })).toBeVisible();
  });

  test("I delete a message with all that follows, and take it back", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const tree = await openTree(page, request);
    await tree.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Delete");
    await expect(page.getByText("3 messages deleted.")).toBeVisible();
    await expect(tree.getByRole("treeitem")).toHaveCount(1);
    await expect(questions(page)).toHaveCount(1);

    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(tree.getByRole("treeitem")).toHaveCount(4);
    const sessionId = new URL(page.url()).pathname.replace("/s/", "");
    await expect
      .poll(() => storedTexts(request, sessionId))
      .toEqual(["First stop", "Second stop", "Third stop"]);
  });

  test("typing filters it", async ({ page, request }) => {
    const tree = await openTree(page, request);
    await tree.focus();
    await page.keyboard.type("another");
    await expect(tree.getByRole("treeitem")).toHaveCount(1);
    await expect(tree.getByRole("treeitem")).toContainText("Another third stop");
  });
});

describe("Finding in a session", () => {
  test("I find words deep inside a message on another branch, and Enter takes me there", {
    tags: "long",
  }, async ({ page, request }) => {
    const { word } = await deepBranches(page, request);
    await expect(questions(page)).toHaveCount(2);
    const panel = page.getByRole("tabpanel", { name: "Tree" });
    const field = panel.getByRole("searchbox", { name: "Find in this chat" });
    await page.keyboard.press("ControlOrMeta+f");
    await expect(field).toBeFocused();
    await field.fill(word);
    const rows = panel.getByRole("tree", { name: "Messages" }).getByRole("treeitem");
    await expect(rows).toHaveCount(3);
    await expect(rows.first()).toHaveAccessibleName(/The start, branches split here/);
    await expect(rows.locator("mark")).toHaveText([word, word]);

    await field.press("Enter");
    await expect(questions(page).last()).toContainText("By train");
    await expect(page).toHaveURL(/\?leaf=/);
    await expect(field).toBeFocused();
    await field.press("Enter");
    await expect(questions(page).last()).toContainText("By boat");
    await field.press("Shift+Enter");
    await expect(questions(page).last()).toContainText("By train");
  });

  test("the composer's /find does the same, and Escape brings the whole tree back", {
    tags: "long",
  }, async ({ page, request }) => {
    const { word } = await deepBranches(page, request);
    await composer(page).fill(`/find ${word}`);
    await composer(page).press("Enter");
    const panel = page.getByRole("tabpanel", { name: "Tree" });
    const field = panel.getByRole("searchbox", { name: "Find in this chat" });
    await expect(field).toHaveValue(word);
    const rows = panel.getByRole("tree", { name: "Messages" }).getByRole("treeitem");
    await expect(rows).toHaveCount(3);
    await expectAccessible(page, "finding in a session");
    await field.press("Escape");
    await expect(rows).toHaveCount(4);
    await field.fill("nothingofthekind");
    await expect(panel.getByText("No message matches")).toBeVisible();
  });
});

describe("A large tree", () => {
  test("with fifty versions of a message is walked and filtered like any other", {
    tags: "long",
  }, async ({ page, request }) => {
    const sessionId = await makeSession(request, "Fifty");
    const { entry } = await store(request, sessionId, "One question");
    const parentId = entry.message.id;
    for (let version = 1; version <= 50; version += 1) {
      await store(request, sessionId, `Version ${version}`, { id: crypto.randomUUID(), parentId });
    }
    await page.goto(`/s/${sessionId}`);
    const panel = await openDrawer(page, "Tree");
    const tree = panel.getByRole("tree", { name: "Messages" });
    await tree.focus();
    await page.keyboard.press("End");
    const last = tree.getByRole("treeitem", { name: /Version 50/ });
    await expect(last).toHaveAttribute("aria-posinset", "50");
    await expect(last).toHaveAttribute("aria-setsize", "50");
    await expect(last).toHaveAttribute("aria-level", "2");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(tree.getByRole("treeitem")).toHaveCount(1);
  });
});

describe("Bookmarks", () => {
  test("I bookmark a message in the tree, name it, find it by that name, and take both away and back", {
    tags: "long",
  }, async ({ page, request }) => {
    const tree = await openTree(page, request);
    const panel = page.getByRole("tabpanel", { name: "Tree" });
    await tree.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("B");
    await expect(tree.getByRole("treeitem", { name: "You, bookmarked: First stop" })).toBeVisible();
    await questions(page).first().getByRole("button", { name: "Bookmarked" }).click();
    const dialog = page.getByRole("dialog", { name: "Name this bookmark" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("where it began");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(tree.getByRole("treeitem", { name: /bookmarked: where it began/ })).toBeVisible();
    await expect(questions(page).first()).toContainText("Bookmark: where it began");

    await expectAccessible(page, "a bookmarked message");
    await panel.getByRole("radio", { name: "Bookmarks" }).click();
    await expect(tree.getByRole("treeitem")).toHaveText([/where it began.*First stop/]);
    await panel.getByRole("radio", { name: "All" }).click();
    await panel.getByRole("searchbox", { name: "Find in this chat" }).fill("began");
    await expect(tree.getByRole("treeitem")).toHaveText([/First stop/]);

    await page.reload();
    await questions(page).first().getByRole("button", { name: "Bookmark: where it began" }).click();
    await dialog.getByRole("button", { name: "Remove bookmark" }).click();
    await expect(dialog).toBeHidden();
    await expect(questions(page).first()).not.toContainText("where it began");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(questions(page).first()).toContainText("Bookmark: where it began");
  });

  test("I name a bookmark from its menu, and a fork keeps the name", { tags: "long" }, async ({
    page,
    request,
  }) => {
    await openTree(page, request);
    const sessionId = sessionIdOf(page);
    await act(page, questions(page).nth(1), "Bookmark");
    await act(page, questions(page).nth(1), "Name bookmark…");
    const dialog = page.getByRole("dialog", { name: "Name this bookmark" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("halfway");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(questions(page).nth(1)).toContainText("halfway");

    const { entries } = await readTranscript(request, sessionId);
    expect(entries.map(({ label }) => label)).toEqual([null, "halfway", null]);
    const forked = await request.post(`/api/sessions/${sessionId}/fork`, {
      data: { messageId: entries[2]?.message.id },
    });
    const fork: SessionWire = await forked.json();
    expect((await readTranscript(request, fork.id)).entries.map(({ label }) => label)).toEqual([
      null,
      "halfway",
      null,
    ]);
    const tooLong = await request.patch(
      `/api/sessions/${sessionId}/messages/${entries[0]?.message.id}`,
      { data: { label: "x".repeat(81) } },
    );
    expect(tooLong.status()).toBe(400);
  });
});

/** A session with two endings, its tree open: first, second, and then a third stop or another one. */
async function openTree(page: StoryPage, request: StoryRequest): Promise<Locator> {
  const sessionId = await makeSession(request, "A journey");
  await store(request, sessionId, "First stop");
  const second = await store(request, sessionId, "Second stop");
  const third = await store(request, sessionId, "Third stop");
  const { id: parentId } = second.entry.message;
  await store(request, sessionId, "Another third stop", { id: crypto.randomUUID(), parentId });
  const opened = await request.patch(`/api/sessions/${sessionId}`, {
    data: { activeLeafId: third.entry.message.id },
  });
  expect(opened.status()).toBe(200);
  await page.goto(`/s/${sessionId}`);
  const panel = await openDrawer(page, "Tree");
  const tree = panel.getByRole("tree", { name: "Messages" });
  await expect(tree.getByRole("treeitem")).toHaveCount(4);
  return tree;
}

/** Three endings, the last one in view; the other two have a word far from their first words. */
async function deepBranches(page: StoryPage, request: StoryRequest): Promise<{ word: string }> {
  const word = newWord();
  const filler = "It goes on and on about the landscape that passes by. ".repeat(6);
  const sessionId = await makeSession(request, "Two journeys");
  const { entry } = await store(request, sessionId, "The start");
  const parentId = entry.message.id;
  const place = () => ({ id: crypto.randomUUID(), parentId });
  await store(request, sessionId, `By train. ${filler} There was a ${word}.`, place());
  await store(request, sessionId, `By boat. ${filler} Another ${word}, a wet one.`, place());
  await store(request, sessionId, "On foot.", place());
  await page.goto(`/s/${sessionId}`);
  return { word };
}

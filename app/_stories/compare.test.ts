import { describe, expect } from "vitest";
import { makeSession, store } from "./testing/api";
import { act, questions } from "./testing/conversation";
import { openDrawer } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import type { StoryRequest } from "./testing/test";
import { test } from "./testing/test";

describe("Comparing two branches", () => {
  test("differing words are marked, and the marks can be turned off", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const { address } = await twoVersions(request);
    await page.goto(address);
    await expect(sideOf(page, "Left").locator("mark")).toHaveText(["train"]);
    await expect(sideOf(page, "Right").locator("mark")).toHaveText(["boat"]);
    await expect(sideOf(page, "Left")).toContainText("2 words differ");
    await page.getByRole("switch", { name: "Mark differences" }).click();
    await expect(page.locator("mark")).toHaveCount(0);
  });

  test("of long branches I read the beginning, and more when I ask for it", {
    tags: "long",
  }, async ({ page, request }) => {
    const sessionId = await makeSession(request, "Two long ways");
    const { entry } = await store(request, sessionId, "Start");
    const parentId = entry.message.id;
    const right = await store(request, sessionId, "Right", { id: crypto.randomUUID(), parentId });
    let left = parentId;
    for (let n = 1; n <= 203; n++) {
      const stored = await store(request, sessionId, `Step ${n}`, {
        id: crypto.randomUUID(),
        parentId: left,
      });
      left = stored.entry.message.id;
    }
    await page.goto(`/s/${sessionId}/compare?left=${left}&right=${right.entry.message.id}`);
    const side = sideOf(page, "Left");
    await expect(side.getByText("3 more messages not shown.")).toBeVisible();
    await expect(side.getByText("Step 203", { exact: true })).toHaveCount(0);
    await side.getByRole("button", { name: "Show more" }).click();
    await expect(side.getByText("Step 203", { exact: true })).toBeVisible();
    await expect(side.getByRole("button", { name: "Show more" })).toBeHidden();
  });

  test("I choose two messages in the tree with the keyboard", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const { sessionId } = await twoVersions(request);
    await page.goto(`/s/${sessionId}`);
    await expect(questions(page)).toHaveCount(2);
    const panel = await openDrawer(page, "Tree");
    await panel.getByRole("tree", { name: "Messages" }).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("C");
    await expect(panel.getByRole("status")).toContainText("Shall we take the boat");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("C");
    await expect(page).toHaveURL(/\/compare\?left=.+&right=.+/);
    await expect(sideOf(page, "Left")).toContainText("the boat");
    await expect(sideOf(page, "Right")).toContainText("the train");
  });

  test("I choose two messages in the tree by clicking, and Esc leaves the choice", {
    tags: "long",
  }, async ({ page, request }) => {
    const { sessionId } = await twoVersions(request);
    await page.goto(`/s/${sessionId}`);
    const panel = await openDrawer(page, "Tree");
    const note = panel.getByRole("status");
    const row = (name: RegExp) => panel.getByRole("treeitem", { name });
    const chooseTrain = async () => {
      await row(/the train/).hover();
      await row(/the train/)
        .getByRole("button", { name: "Actions for this message" })
        .click();
      await page.getByRole("menuitem", { name: "Compare" }).click();
    };
    await chooseTrain();
    await expect(row(/the train.*selected for comparison/)).toBeVisible();
    // Anywhere in the panel: here on the menu's button.
    await page.keyboard.press("Escape");
    await expect(note).toBeHidden();
    await chooseTrain();
    await expect(note).toContainText("Select another message");
    await row(/the boat/).click();
    await expect(page).toHaveURL(/\/compare\?left=.+&right=.+/);
    await expect(sideOf(page, "Left")).toContainText("the train");
    await expect(sideOf(page, "Right")).toContainText("the boat");
    await page.getByRole("link", { name: "Back" }).click();
    await expect(questions(page).last()).toContainText("the boat");
  });

  test("I compare the versions of a message from its own menu", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const { sessionId } = await twoVersions(request);
    await page.goto(`/s/${sessionId}`);
    await act(page, questions(page).last(), "Compare with version 1");
    await expect(sideOf(page, "Left")).toContainText("the train");
    await expect(sideOf(page, "Right")).toContainText("the boat");
  });

  test("an address that leads nowhere says so", async ({ page, request }) => {
    const { sessionId } = await twoVersions(request);
    await page.goto(`/s/${sessionId}/compare?left=gone&right=away`);
    await expect(page.getByText("Nothing to compare")).toBeVisible();
    await page.getByRole("link", { name: "Back" }).click();
    await expect(questions(page)).toHaveCount(2);
  });
});

function sideOf(page: StoryPage, side: "Left" | "Right") {
  return page.locator(`section[aria-label="${side} branch"]`);
}

/** A question in two versions under another message. */
async function twoVersions(request: StoryRequest) {
  const sessionId = await makeSession(request, "Two ways");
  const { entry } = await store(request, sessionId, "We are going to the sea");
  const parentId = entry.message.id;
  const write = async (text: string) =>
    (await store(request, sessionId, text, { id: crypto.randomUUID(), parentId })).entry.message.id;
  const left = await write("Shall we take the train tomorrow morning?");
  const right = await write("Shall we take the boat tomorrow morning?");
  return { sessionId, address: `/s/${sessionId}/compare?left=${left}&right=${right}` };
}

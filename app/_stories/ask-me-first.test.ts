import { describe, expect } from "vitest";
import { answers, say } from "./testing/conversation";
import type { Locator } from "./testing/locator";
import { ask, askFirst, openDrawer } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

describe("Ask first", () => {
  test("I put the text right before I approve it", async ({ page }) => {
    await begin(page);
    const answer = await ask(page, "Remember that I live in Bremen");
    const asked = permissionIn(answer);
    await asked.getByRole("button", { name: "Edit" }).click();
    const field = asked.getByRole("textbox", { name: "Text of memory, edited" });
    await expect(field).toHaveValue(/Lives in Bremen$/);
    await field.press("ControlOrMeta+End");
    await field.pressSequentially(", near the river");
    await asked.getByRole("button", { name: "Approve with changes" }).click();
    await expect(answer).toContainText("I will remember that you live in Bremen.");
    const memory = memoryIn(await openDrawer(page, "Memory"));
    await expect(memory).toContainText("Lives in Bremen, near the river");
  });

  test("I deny it with a reason, which the model reads", { tags: "long" }, async ({ page }) => {
    await begin(page);
    const answer = await ask(page, "Remember that I own a yacht");
    await permissionIn(answer).getByRole("button", { name: "Deny" }).click();
    await permissionIn(answer).getByRole("textbox", { name: "Reason" }).fill("I sold it");
    await permissionIn(answer).getByRole("button", { name: "Deny" }).click();
    await expect(answer).toContainText("All right, I left that: I sold it");
    await expect(answer).toContainText("Did not write to Memory");
    const memory = memoryIn(await openDrawer(page, "Memory"));
    await expect(memory).not.toContainText("yacht");
  });

  test("I approve all writes of the chat, and it asks no more", { tags: "long" }, async ({
    page,
  }) => {
    await begin(page);
    const first = await ask(page, "Remember that I like rain");
    await permissionIn(first).getByRole("button", { name: "Approve for this chat" }).click();
    await expect(first).toContainText("I will remember that you like rain.");
    const second = await ask(page, "Remember that I like snow");
    await expect(second).toContainText("I will remember that you like snow.");
    await expect(permissionIn(second)).toHaveCount(0);
    const panel = await openDrawer(page, "Memory");
    const modes = panel.getByRole("radiogroup", { name: "Let the model update memory" });
    await expect(modes.getByRole("radio", { name: "Always" })).toBeChecked();
    await expect(memoryIn(panel)).toContainText("Likes snow");
  });

  test("a choice that is still on its way counts for what I send at once", {
    tags: "long",
  }, async ({ page }) => {
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    const modes = panel.getByRole("radiogroup", { name: "Let the model update memory" });
    const stored = Promise.withResolvers<void>();
    await page.route("**/api/sessions/*", async (route) => {
      if (route.request().method() === "PATCH") await stored.promise;
      await route.continue();
    });
    await modes.getByRole("radio", { name: "Ask first" }).click();
    const sent = page.waitForRequest(/\/messages$/);
    await say(page, "Remember that I play the oboe");
    await expect(page.getByText("Remember that I play the oboe")).toBeVisible();
    stored.resolve();
    await sent;
    await expect(permissionIn(answers(page).nth(1))).toBeVisible();
  });

  test("I make it the way new sessions start, and decide about all of them in the settings", {
    tags: "long",
  }, async ({ page }) => {
    await page.goto("/settings?section=blocks");
    const modes = page.getByRole("radiogroup", {
      name: "Let the model update memory in new chats",
    });
    await modes.getByRole("radio", { name: "Ask first" }).click();
    await expect(modes.getByRole("radio", { name: "Ask first" })).toBeChecked();
    const answer = await askFirst(page, "Remember that I sing in a choir");
    await expect(permissionIn(answer)).toBeVisible();
    const chat = page.url();

    await page.goto("/settings?section=blocks");
    const card = page
      .getByRole("article", { name: "Suggested change to memory" })
      .filter({ hasText: "Sings in a choir" });
    await card.getByRole("button", { name: "Accept" }).click();
    await expect(card).toHaveCount(0);
    await expect(page.getByRole("article", { name: "About you", exact: true })).toContainText(
      "Sings in a choir",
    );
    await modes.getByRole("radio", { name: "Always" }).click();
    await expect(modes.getByRole("radio", { name: "Always" })).toBeChecked();
    await page.goto(chat);
    await expect(answers(page).last()).toContainText("I will remember that you sing in a choir.");
  });
});

/** A session in which the model asks before it writes. */
async function begin(page: StoryPage): Promise<void> {
  await askFirst(page, "What can you do?");
  await chooseAsking(page);
}

async function chooseAsking(page: StoryPage): Promise<Locator> {
  const panel = await openDrawer(page, "Memory");
  const modes = panel.getByRole("radiogroup", { name: "Let the model update memory" });
  await modes.getByRole("radio", { name: "Ask first" }).click();
  await expect(
    panel.getByText("Asks before each change, and waits for your answer."),
  ).toBeVisible();
  return panel;
}

function permissionIn(answer: Locator): Locator {
  return answer.getByRole("region", { name: /^Permission to write to/ });
}

function memoryIn(panel: Locator): Locator {
  return panel.getByRole("article", { name: "About you", exact: true });
}

import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { answers } from "./support/conversation";
import { questions, startModelServer } from "./support/model-server";
import { ask, askFirst, openDrawer } from "./support/session-page";
import { addProvider, chooseDefaultModel, removeProvider } from "./support/settings-page";
import { test } from "./support/test";

test.describe("Ask first", () => {
  test("the model proposes, I read what it wants to write, and accept it in the conversation", async ({
    page,
  }) => {
    await begin(page);
    const answer = await ask(page, "Remember that I play the oboe");
    const wish = wishOf(answer);
    await expect(wish).toContainText("Wants to write 1 line to Memory");
    await expect(answer).toContainText("I would like to remember that you play the oboe.");
    const memory = memoryIn(await openDrawer(page, "Memory"));
    await expect(memory).not.toContainText("oboe");

    await page.reload();
    await wish.getByRole("button", { name: "Show" }).click();
    await expect(wish.getByRole("group", { name: "Suggested change to memory" })).toContainText(
      "Added: - Plays the oboe",
    );
    await wish.getByRole("button", { name: "Accept" }).click();
    await expect(wish).toContainText("Wrote 1 line to Memory");
    await expect(wish).toContainText("accepted by you");
    await expect(memory).toContainText("Plays the oboe");

    await memory.getByRole("button", { name: "History of Memory" }).click();
    const history = page.getByRole("dialog", { name: "History of Memory" });
    await expect(history.getByRole("button", { name: /The model, accepted by you/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await wish.getByRole("button", { name: "Undo" }).click();
    await expect(memory).not.toContainText("oboe");
  });

  test("what waits is counted and listed in the Memory tab, where I put it right or decline it", async ({
    page,
  }) => {
    await begin(page);
    const first = await ask(page, "Remember that I live in Bremen");
    const second = await ask(page, "Remember that I own a yacht");
    const panel = await openDrawer(page, "Memory");
    await expect(page.getByRole("tab", { name: "Memory 2 waiting for you" })).toBeVisible();
    const waiting = panel.getByRole("article", { name: "Suggested change to memory" });
    await expect(waiting).toHaveCount(2);
    await waiting.first().getByRole("button", { name: "Show the message" }).click();
    await expect(second).toBeInViewport();

    await waiting.first().getByRole("button", { name: "Decline" }).click();
    await expect(waiting).toHaveCount(1);
    await expect(wishOf(second)).toContainText("declined");

    await waiting.getByRole("button", { name: "Edit" }).click();
    const field = waiting.getByRole("textbox", { name: "Text of memory, edited" });
    await expect(field).toHaveValue(/Lives in Bremen$/);
    await field.press("ControlOrMeta+End");
    await field.pressSequentially(", near the river");
    await waiting.getByRole("button", { name: "Save" }).click();
    await expect(waiting).toHaveCount(0);
    await expect(page.getByRole("tab", { name: "Memory", exact: true })).toBeVisible();
    await expect(wishOf(first)).toContainText("accepted by you");
    const memory = memoryIn(panel);
    await expect(memory).toContainText("Lives in Bremen, near the river");
    await expect(memory).not.toContainText("yacht");

    await page.reload();
    await expect(wishOf(answers(page).nth(2))).toContainText("declined");
  });

  test("a decision in one tab is seen in the other", async ({ page, context }) => {
    await begin(page);
    await ask(page, "Remember that I repair clocks");
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(answers(other)).toHaveCount(2);
    const panel = await openDrawer(other, "Memory");
    await expect(panel.getByRole("article", { name: "Suggested change to memory" })).toHaveCount(1);
    await wishOf(answers(page).last()).getByRole("button", { name: "Accept" }).click();
    await expect(panel.getByRole("article", { name: "Suggested change to memory" })).toHaveCount(0);
    await expect(memoryIn(panel)).toContainText("I repair clocks");
    await expect(wishOf(answers(other).last())).toContainText("accepted by you");
  });

  test("when I changed the text meanwhile, I see both and am asked again", async ({ page }) => {
    const server = await startModelServer({ models: ["house-model"] });
    try {
      await addProvider(page, {
        kind: "OpenAI-compatible",
        name: "House",
        baseUrl: `${server.url}/v1`,
        key: "sk-house",
      });
      await chooseDefaultModel(page, /house-model/);
      await askFirst(page, questions.greeting);
      const panel = await chooseAsking(page);
      const answer = await ask(page, questions.rewriting);
      const memory = memoryIn(panel);
      await memory.getByRole("button", { name: "Edit Memory" }).click();
      await memory.getByRole("textbox").fill("- Written by hand meanwhile");
      await memory.getByRole("button", { name: "Done" }).click();
      await expect(memory).toContainText("Written by hand meanwhile");

      const wish = wishOf(answer);
      await wish.getByRole("button", { name: "Accept" }).click();
      await expect(wish.getByRole("alert")).toContainText("This text changed");
      const changes = wish.getByRole("group", { name: "Suggested change to memory" });
      await expect(changes).toContainText("Removed: - Written by hand meanwhile");
      await expect(changes).toContainText("Added: - Written anew by the model");
      await expect(memory).toContainText("Written by hand meanwhile");

      const card = panel.getByRole("article", { name: "Suggested change to memory" });
      await card.getByRole("button", { name: "Accept anyway" }).click();
      await expect(memory).toContainText("Written anew by the model");
      await expect(wish).toContainText("accepted by you");
    } finally {
      await page.goto("/settings?section=models");
      await removeProvider(page, "House");
      await server.stop();
    }
  });

  test("I make it the way new sessions start, and decide about all of them in the settings", async ({
    page,
  }) => {
    await page.goto("/settings?section=blocks");
    const modes = page.getByRole("radiogroup", {
      name: "Let the model update memory in new chats",
    });
    await modes.getByRole("radio", { name: "Ask first" }).click();
    await expect(modes.getByRole("radio", { name: "Ask first" })).toBeChecked();
    const answer = await askFirst(page, "Remember that I sing in a choir");
    await expect(wishOf(answer)).toContainText("Wants to write 1 line");

    await page.goto("/settings?section=blocks");
    const card = page
      .getByRole("article", { name: "Suggested change to memory" })
      .filter({ hasText: "Sings in a choir" });
    await card.getByRole("button", { name: "Accept" }).click();
    await expect(card).toHaveCount(0);
    await expect(page.getByRole("article", { name: "Memory", exact: true })).toContainText(
      "Sings in a choir",
    );
    await modes.getByRole("radio", { name: "Always" }).click();
    await expect(modes.getByRole("radio", { name: "Always" })).toBeChecked();
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`everybody can decide in the ${colorScheme} theme, on a phone too`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await begin(page);
      const answer = await ask(page, `Remember that I read at night in ${colorScheme}`);
      const wish = wishOf(answer);
      await wish.getByRole("button", { name: "Edit" }).click();
      await expect(wish.getByRole("textbox")).toBeFocused();
      await expectAccessible(page, "a proposal being edited beside the Memory tab");
      await wish.getByRole("button", { name: "Cancel" }).click();
      await page.setViewportSize({ width: 390, height: 844 });
      await expectAccessible(page, "a proposal on a phone");
      await page.getByRole("button", { name: /^Memory, context and tree, 1 suggestion/ }).click();
      await expect(page.getByRole("article", { name: "Suggested change to memory" })).toBeVisible();
      await expectAccessible(page, "the Memory tab on a phone");
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(390);
    });
  }
});

/** A session in which the model asks before it writes. */
async function begin(page: Page): Promise<void> {
  await askFirst(page, "What can you do?");
  await chooseAsking(page);
}

async function chooseAsking(page: Page): Promise<Locator> {
  const panel = await openDrawer(page, "Memory");
  const modes = panel.getByRole("radiogroup", { name: "Let the model update memory" });
  await modes.getByRole("radio", { name: "Ask first" }).click();
  await expect(panel.getByText("Suggests changes for you to accept.")).toBeVisible();
  return panel;
}

function wishOf(answer: Locator): Locator {
  return answer.getByRole("list", { name: "Suggested memory changes" });
}

function memoryIn(panel: Locator): Locator {
  return panel.getByRole("article", { name: "Memory", exact: true });
}

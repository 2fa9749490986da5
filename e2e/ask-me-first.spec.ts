import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { offerProvider } from "./support/api";
import { answers } from "./support/conversation";
import { questions, startModelServer } from "./support/model-server";
import { ask, askFirst, openDrawer } from "./support/session-page";
import { test } from "./support/test";

test.describe("Ask first", () => {
  test("the answer waits, I read what the model wants to write, approve it, and it goes on", {
    tag: "@essential",
  }, async ({ page }) => {
    await begin(page);
    const answer = await ask(page, "Remember that I play the oboe");
    const asked = permissionIn(answer);
    await expect(asked).toContainText("May the model write to Memory?");
    await expect(changesIn(asked)).toContainText("Added: - Plays the oboe");
    const memory = memoryIn(await openDrawer(page, "Memory"));
    await expect(memory).not.toContainText("oboe");

    await page.reload();
    await asked.getByRole("button", { name: "Approve", exact: true }).click();
    await expect(answer).toContainText("I will remember that you play the oboe.");
    await expect(asked).toHaveCount(0);
    const wish = wishOf(answer);
    await expect(wish).toContainText("Wrote 1 line to Memory");
    await expect(wish).toContainText("accepted by you");
    await expect(memory).toContainText("Plays the oboe");

    await memory.getByRole("button", { name: "History of About you" }).click();
    const history = page.getByRole("dialog", { name: "History of About you" });
    await expect(history.getByRole("button", { name: /The model, accepted by you/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await wish.getByRole("button", { name: "Undo" }).click();
    await expect(memory).not.toContainText("oboe");
  });

  test("what waits is counted and listed in the Memory tab, and goes when I ask something else", async ({
    page,
  }) => {
    await begin(page);
    const first = await ask(page, "Remember that I live in Kiel");
    const panel = await openDrawer(page, "Memory");
    await expect(page.getByRole("tab", { name: "Memory 1 waiting for you" })).toBeVisible();
    const waiting = panel.getByRole("article", { name: "Suggested change to memory" });
    await waiting.getByRole("button", { name: "Show the message" }).click();
    await expect(first).toBeInViewport();
    await waiting.getByRole("button", { name: "Accept" }).click();
    await expect(waiting).toHaveCount(0);
    await expect(first).toContainText("I will remember that you live in Kiel.");
    await expect(page.getByRole("tab", { name: "Memory", exact: true })).toBeVisible();
    await expect(memoryIn(panel)).toContainText("Lives in Kiel");

    const second = await ask(page, "Remember that I own a kite");
    await expect(waiting).toHaveCount(1);
    await ask(page, "What can you do?");
    await expect(waiting).toHaveCount(0);
    await expect(permissionIn(second)).toHaveCount(0);
    await expect(second).toContainText("Did not write to Memory");
    await expect(memoryIn(panel)).not.toContainText("kite");
  });

  test("a decision in one tab is seen in the other", async ({ page, context }) => {
    await begin(page);
    await ask(page, "Remember that I repair clocks");
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(answers(other)).toHaveCount(2);
    const panel = await openDrawer(other, "Memory");
    await expect(panel.getByRole("article", { name: "Suggested change to memory" })).toHaveCount(1);
    const asked = permissionIn(answers(page).last());
    await asked.getByRole("button", { name: "Approve", exact: true }).click();
    await expect(panel.getByRole("article", { name: "Suggested change to memory" })).toHaveCount(0);
    await expect(memoryIn(panel)).toContainText("I repair clocks");
    await expect(wishOf(answers(other).last())).toContainText("accepted by you");
    await expect(answers(other).last()).toContainText("I will remember that you repair clocks.");
  });

  test("when I changed the text meanwhile, I see both and am asked again", async ({
    page,
    request,
  }) => {
    const server = await startModelServer({ models: ["house-model"] });
    try {
      await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model" });
      await askFirst(page, questions.greeting);
      const panel = await chooseAsking(page);
      const answer = await ask(page, questions.rewriting);
      const memory = memoryIn(panel);
      await memory.getByRole("button", { name: "Edit About you" }).click();
      await memory.getByRole("textbox").fill("- Written by hand meanwhile");
      await memory.getByRole("button", { name: "Done" }).click();
      await expect(memory).toContainText("Written by hand meanwhile");

      const asked = permissionIn(answer);
      await asked.getByRole("button", { name: "Approve", exact: true }).click();
      await expect(asked.getByRole("alert")).toContainText("This text changed");
      await expect(changesIn(asked)).toContainText("Removed: - Written by hand meanwhile");
      await expect(changesIn(asked)).toContainText("Added: - Rewritten by the model");
      await expect(memory).toContainText("Written by hand meanwhile");

      await asked.getByRole("button", { name: "Approve anyway" }).click();
      await expect(memory).toContainText("Rewritten by the model");
      await expect(wishOf(answer)).toContainText("accepted by you");
    } finally {
      await server.stop();
    }
  });

  test("everybody can decide, on a phone too", async ({ page }) => {
    await begin(page);
    const answer = await ask(page, "Remember that I read at night");
    const asked = permissionIn(answer);
    await asked.getByRole("button", { name: "Edit" }).click();
    await expect(asked.getByRole("textbox")).toBeFocused();
    await expectAccessible(page, "a write being edited beside the Memory tab");
    await asked.getByRole("button", { name: "Cancel" }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, "a write that asks first on a phone");
    await page.getByRole("button", { name: /^Memory, context and tree, 1 suggestion/ }).click();
    await expect(page.getByRole("article", { name: "Suggested change to memory" })).toBeVisible();
    await expectAccessible(page, "the Memory tab on a phone");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
  });
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
  await expect(
    panel.getByText("Asks before each change, and waits for your answer."),
  ).toBeVisible();
  return panel;
}

function permissionIn(answer: Locator): Locator {
  return answer.getByRole("region", { name: /^Permission to write to/ });
}

function changesIn(asked: Locator): Locator {
  return asked.getByRole("group", { name: "Suggested change to memory" });
}

function wishOf(answer: Locator): Locator {
  return answer.getByRole("list", { name: "Suggested memory changes" });
}

function memoryIn(panel: Locator): Locator {
  return panel.getByRole("article", { name: "About you", exact: true });
}

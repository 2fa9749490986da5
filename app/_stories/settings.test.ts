import { describe, expect } from "vitest";
import { settingsAddress, settingsPagesFor } from "@/app/_features/settings/settings-sections";
import { greeting, questions, startModelServer } from "@/e2e/support/model-server";
import type { HouseWire } from "@/lib/chat/wire/accounts";
import { answers, say } from "./testing/conversation";
import { openContext } from "./testing/session-page";
import { addProvider, choose, chooseDefaultModel, removeProvider } from "./testing/settings-page";
import { test } from "./testing/test";

describe("Settings", () => {
  test("on a phone, the focus goes to the way back, and back to where a page was opened", {
    tags: "long",
  }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/settings");
    const data = page.getByRole("link", { name: /^Data/ });
    await data.click();
    const back = page.getByRole("link", { name: "Settings", exact: true });
    await expect(back).toBeFocused();
    await back.click();
    await expect(data).toBeFocused();
  });

  test("I choose the model new sessions start with, and correct what Grove knows of it", {
    tags: "long",
  }, async ({ page }) => {
    const server = await startModelServer({ models: ["house-model"] });
    try {
      await addProvider(page, {
        kind: "OpenAI-compatible",
        baseUrl: `${server.url}/v1`,
        key: "",
        name: "House",
      });
      await chooseDefaultModel(page, /house-model/);
      await page.getByText("Advanced", { exact: true }).click();
      await page.getByRole("button", { name: "Edit house-model" }).click();
      const dialog = page.getByRole("dialog", { name: "house-model" });
      await dialog.getByRole("textbox", { name: "Context window" }).fill("no number");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog.getByRole("textbox", { name: "Context window" })).toBeFocused();
      await dialog.getByRole("textbox", { name: "Context window" }).fill("50000");
      await dialog.getByRole("textbox", { name: "Input price" }).fill("3");
      await dialog.getByRole("textbox", { name: "Output price" }).fill("12");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText("50,000 tokens · $3 in, $12 out per million")).toBeVisible();
      await expect(page.getByText("edited", { exact: true })).toBeVisible();

      await page.goto("/");
      await expect(page.getByRole("button", { name: "Model: house-model" })).toBeVisible();
      await say(page, questions.greeting);
      await expect(answers(page)).toContainText(greeting);
      const context = await openContext(page);
      await expect(context.getByText(/^[\d,]+ of 50,000 tokens$/)).toBeVisible();
      await expect(context.getByText(/^\$0\.\d+ input \+ output$/)).toBeVisible();
    } finally {
      await server.stop();
    }
  });

  test("a provider that cannot be reached is said where I add it, and the demo goes on", {
    tags: "long",
  }, async ({ page }) => {
    const server = await startModelServer({ models: ["house-model"] });
    const address = `${server.url}/v1`;
    await server.stop();
    await page.goto("/settings?section=models");
    await page.getByRole("button", { name: "Add provider" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a provider" });
    const type = dialog.getByRole("combobox", { name: "Type" });
    await choose(page, type, "OpenRouter");
    await expect(dialog.getByRole("textbox", { name: "Base URL" })).toHaveValue(
      "https://openrouter.ai/api/v1",
    );
    await expect(dialog.getByRole("link", { name: /openrouter\.ai/ })).toBeVisible();
    await choose(page, type, "OpenAI-compatible");
    await dialog.getByRole("textbox", { name: "Base URL" }).fill("https://api.groq.com");
    await expect(type).toHaveText("Groq");
    await choose(page, type, "OpenAI-compatible");
    await dialog.getByRole("textbox", { name: "Base URL" }).fill(address);
    await dialog.getByRole("textbox", { name: "Name" }).fill("Away");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert")).toContainText("Saved. Couldn't load models");
    await dialog.getByText("Close", { exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/Couldn't load models from Away/)).toBeVisible();
    await removeProvider(page, "Away");
    await expect(page.getByText(/Couldn't load models from Away/)).toBeHidden();
    await page.goto("/");
    await expect(page.getByRole("button", { name: /^Model: Demo/ })).toBeVisible();
  });

  for (const { sections } of settingsPagesFor(null))
    test(`I find what is on the page ${sections[0].label}, by the search`, async ({ page }) => {
      for (const { id, label, titles } of sections) {
        await page.goto(settingsAddress(id));
        const main = page.getByRole("main");
        await expect(main.getByRole("heading", { name: label, exact: true })).toBeVisible();
        for (const title of titles)
          await expect(main.getByText(new RegExp(`^${title}( |$)`)).first()).toBeVisible();
        const [title = label] = titles;
        await page.getByRole("searchbox", { name: "Search settings" }).fill(title);
        const found = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
        await expect(found.filter({ hasText: title }).first()).toBeVisible();
      }
    });

  test("the search opens the section that holds what I look for", async ({ page }) => {
    await page.goto("/settings");
    const links = page.getByRole("navigation", { name: "Settings" });
    await expect(links.getByRole("link")).toHaveCount(6);
    await page.getByRole("searchbox", { name: "Search settings" }).fill("prompts your");
    await links.getByRole("link", { name: /^Your prompts/ }).click();
    await expect(page.getByRole("button", { name: "New prompt" })).toBeVisible();
    await page.getByRole("searchbox", { name: "Search settings" }).fill("zyzzyva");
    await expect(page.getByText("No setting found")).toBeVisible();
  });

  test("my instructions reach the next session", { tags: "long" }, async ({ page }) => {
    await page.goto("/settings?section=blocks");
    const soul = page.getByRole("article", { name: "Instructions" });
    await soul.getByRole("button", { name: "Edit Instructions" }).click();
    await soul.getByRole("textbox").fill("You answer like a lighthouse keeper.");
    await expect(soul.getByRole("status")).toHaveText("Saved");
    await page.goto("/");
    await say(page, "What can you do?");
    await expect(answers(page)).toHaveCount(1);
    const context = await openContext(page);
    await context.locator("summary", { hasText: /^Instructions/ }).click();
    await expect(context.getByText("You answer like a lighthouse keeper.")).toBeVisible();
  });
});

test("without accounts I decide about the server, and take it back", async ({ page, request }) => {
  await page.goto("/settings?section=about");
  await page.getByRole("link", { name: /^Server/ }).click();
  await page.getByRole("button", { name: "Change: Largest file" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Largest file, MB" }).fill("30");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("30 MB")).toBeVisible();
  const { house }: HouseWire = await (await request.get("/api/settings/house")).json();
  const stored = { name: "GROVE_MAX_FILE_MB", value: "30", isFixed: false, usual: "25" };
  expect(house).toContainEqual(stored);
  await page.getByRole("button", { name: "Use default: Largest file" }).click();
  await expect(page.getByText("25 MB")).toBeVisible();
});

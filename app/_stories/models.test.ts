import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import {
  goneModel,
  type ManyModels,
  startManyModels,
  strictModel,
} from "@/e2e/support/many-models";
import { expectAccessible } from "./testing/accessible";
import { offerProvider } from "./testing/api";
import { answers, say } from "./testing/conversation";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

let server: ManyModels;

const picture = fileURLToPath(new URL("../../e2e/fixtures/files/leaf.png", import.meta.url));

test.beforeEach(async ({ page, request }) => {
  server = await startManyModels();
  await offerProvider(request, { baseUrl: server.url });
  await page.goto("/");
});
test.afterEach(() => server.stop());

async function openPicker(page: StoryPage) {
  await page.getByRole("button", { name: /^(Model|Ask \d models): / }).click();
  const search = page.getByRole("combobox", { name: "Search models" });
  await expect(search).toBeFocused();
  return search;
}

async function choose(page: StoryPage, name: string): Promise<void> {
  const search = await openPicker(page);
  await search.fill(name);
  await expect(page.getByRole("option").first()).toContainText(name);
  await search.press("Enter");
  await expect(page.getByRole("button", { name: `Model: ${name}` })).toBeVisible();
}

async function chooseSeveral(page: StoryPage, names: readonly string[]): Promise<void> {
  const search = await openPicker(page);
  await page.getByRole("button", { name: "Several at once" }).click();
  // The chat's own is chosen first.
  await page.getByRole("option", { selected: true }).first().click();
  for (const name of names) {
    await search.fill(name);
    await page.getByRole("option", { name: new RegExp(`^${name} `) }).click();
  }
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: /^Ask \d models: / })).toHaveText(
    `${names.length} models`,
  );
}

test("a model that takes no images says so before I send one, and I choose one that does", {
  tags: "long",
}, async ({ page }) => {
  await choose(page, "gpt-1");
  await page.getByLabel("Attach files").and(page.locator("input")).setInputFiles(picture);
  const notice = page.getByRole("region", { name: "Files this model does not take" });
  await expect(notice).toContainText("gpt-1 takes no images. It gets the name of “leaf.png”");
  await notice.getByRole("button", { name: "Use another model" }).click();
  await page.getByRole("menuitem", { name: "gpt-2", exact: true }).click();
  await expect(page.getByRole("button", { name: "Model: gpt-2" })).toBeVisible();
  await expect(notice).toBeHidden();
});

test("I find one of 304 models with the keyboard, mark it and hide another", {
  tags: "long",
}, async ({ page }) => {
  const search = await openPicker(page);
  await expect(page.getByRole("option", { name: /^Automatic/ })).toContainText(
    "the first provider that answered",
  );
  await search.fill("gpt-1");
  const names = () => page.getByRole("option").locator("bdi").allTextContents();
  await expect.poll(async () => (await names()).slice(0, 3)).toEqual(["gpt-1", "gpt-10", "gpt-11"]);
  await search.press("ArrowDown");
  await search.press("ArrowUp");
  await expectAccessible(page, "the list of models");
  await page.getByRole("button", { name: "Add to favorites" }).click();
  await search.fill("gpt-2");
  await expect.poll(async () => (await names())[0]).toBe("gpt-2");
  await page.getByRole("button", { name: "Hide from the list" }).click();
  await expect(page.getByRole("option").first()).toContainText("gpt-20");
  await page.getByRole("button", { name: "Show 1 hidden" }).click();
  await expect(page.getByRole("option").first()).toContainText("gpt-2");
  await search.fill("gpt-300");
  await search.press("Enter");
  await expect(page.getByRole("button", { name: "Model: gpt-300" })).toBeFocused();

  await page.reload();
  await openPicker(page);
  await expect(page.getByText("Favorites", { exact: true })).toBeVisible();
  await expect(page.getByText("Recent", { exact: true })).toBeVisible();
  const options = page.getByRole("option");
  await expect(options.nth(1)).toContainText("gpt-1");
  await expect(options.nth(2)).toContainText("gpt-300");
});

test("I mark and hide models in the settings, too", async ({ page }) => {
  await page.goto("/settings?section=models");
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByRole("searchbox", { name: "Search models" }).fill("gpt-30");
  await page.getByRole("button", { name: "Hide gpt-30 from the list" }).click();
  await expect(page.getByRole("button", { name: "Show gpt-30 in the list" })).toBeVisible();
  await page.getByRole("button", { name: "Add gpt-300 to favorites" }).click();
  await expect(page.getByRole("button", { name: "Remove gpt-300 from favorites" })).toBeVisible();
  await page.goto("/");
  const search = await openPicker(page);
  await expect(page.getByRole("option").nth(1)).toContainText("gpt-300");
  await search.fill("gpt-30");
  await expect(page.getByRole("option").locator("bdi")).toHaveText(["gpt-300", "gpt-301"]);
});

test("a parameter that the provider refuses is named, and I can send without it", {
  tags: "long",
}, async ({ page }) => {
  await choose(page, strictModel.slice("strict/".length));
  await page.getByRole("button", { name: /^Model: / }).click();
  await page.getByRole("button", { name: "More…" }).click();
  const temperature = page.getByRole("textbox", { name: "Temperature" });
  await temperature.fill("1");
  await temperature.press("Enter");
  await page.keyboard.press("Escape");
  await say(page, "Is it warm?");
  const refusal = answers(page).getByRole("alert");
  await expect(refusal).toContainText("The provider refused the temperature set for this chat.");
  await refusal.getByText("Details").click();
  await expect(refusal).toContainText("'temperature' is fixed for this model");
  await expectAccessible(page, "a refused parameter");
  await refusal.getByRole("button", { name: "Send without temperature" }).click();
  await expect(answers(page).last()).toContainText(`This is ${strictModel}.`);
  await expect(page.getByRole("button", { name: /^Model: .*(?<! set)$/ })).toBeVisible();
});

test("of several answers I go on with one that came, and then ask its model alone", {
  tags: "long",
}, async ({ page }) => {
  const missing: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 404) missing.push(response.url());
  });
  const goneName = goneModel.slice(goneModel.indexOf("/") + 1);
  const names = [goneName, "gpt-25", "gpt-26"];
  await chooseSeveral(page, names);
  await say(page, "What is a spout?");
  const column = (name: string) => page.getByRole("region", { name: `Answer of ${name}` });
  await expect(column(goneName)).toContainText("does not exist");
  for (const name of names.slice(1))
    await expect(
      column(name).getByRole("button", { name: `Keep the answer of ${name}` }),
    ).toBeVisible();
  const goesOn = page.getByRole("region", { name: /^Answer of/ }).filter({
    hasText: "Next message goes here",
  });
  await expect(goesOn).toHaveCount(1);
  await expect(goesOn).not.toHaveAccessibleName(`Answer of ${goneName}`);

  await column("gpt-26").getByText("This is house/gpt-26.").click();
  await expect(column("gpt-26")).toContainText("Next message goes here");
  await column("gpt-25")
    .getByRole("button", { name: "Continue here with the answer of gpt-25" })
    .click();
  await expect(column("gpt-25")).toContainText("Next message goes here");

  await column("gpt-26").getByRole("button", { name: "Keep the answer of gpt-26" }).click();
  await expect(answers(page)).toHaveCount(1);
  await expect(answers(page)).toContainText("This is house/gpt-26.");
  await expect(page.getByRole("button", { name: "Model: gpt-26" })).toBeVisible();
  await expect(page.getByText("You left")).toBeHidden();
  await say(page, "And a lid?");
  await expect(answers(page)).toHaveCount(2);
  await expect(answers(page).last()).toContainText("This is house/gpt-26.");
  expect(missing).toEqual([]);
});

import { expect, type Page } from "@playwright/test";
import type { ModelsWire } from "@/lib/chat/wire/settings";
import { expectAccessible } from "./support/accessible";
import { offerProvider } from "./support/api";
import { answers, composer, say, versions } from "./support/conversation";
import { goneModel, type ManyModels, startManyModels, thinkingModel } from "./support/many-models";
import { openReceipt } from "./support/session-page";
import { test } from "./support/test";

let server: ManyModels;

test.beforeEach(async ({ page, request }) => {
  server = await startManyModels();
  await offerProvider(request, { baseUrl: server.url });
  await page.goto("/");
});
test.afterEach(() => server.stop());

async function openPicker(page: Page) {
  await page.getByRole("button", { name: /^(Model|Ask \d models): / }).click();
  const search = page.getByRole("combobox", { name: "Search models" });
  await expect(search).toBeFocused();
  return search;
}

async function choose(page: Page, name: string): Promise<void> {
  const search = await openPicker(page);
  await search.fill(name);
  await expect(page.getByRole("option").first()).toContainText(name);
  await search.press("Enter");
  await expect(page.getByRole("button", { name: `Model: ${name}` })).toBeVisible();
}

async function chooseSeveral(page: Page, names: readonly string[]): Promise<void> {
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

test("Enter chooses what I typed, also before the list has followed", async ({ page }) => {
  const search = await openPicker(page);
  await search.evaluate((field: HTMLInputElement) => {
    field.setRangeText("gpt-300");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    const enter = { key: "Enter", bubbles: true, cancelable: true };
    field.dispatchEvent(new KeyboardEvent("keydown", enter));
  });
  await expect(page.getByRole("button", { name: "Model: gpt-300" })).toBeVisible();
});

test("parameters belong to my chat, and its receipt shows what was sent", async ({ page }) => {
  await choose(page, "gpt-7");
  await openParameters(page);
  const panel = page.getByRole("dialog", { name: "Parameters of this chat" });
  await expect(panel.getByRole("combobox", { name: "Verbosity" })).toBeHidden();
  const temperature = panel.getByRole("textbox", { name: "Temperature" });
  await temperature.fill("9");
  await expect(panel.getByText("Enter a number from 0 to 2.")).toBeVisible();
  await temperature.fill("0.3");
  await temperature.press("Enter");
  await panel.getByRole("textbox", { name: "Output limit" }).fill("700");
  await page.keyboard.press("Escape");
  // Closing keeps the typed figure.
  await openParameters(page);
  await expect(panel.getByRole("textbox", { name: "Output limit" })).toHaveValue("700");
  await panel.getByRole("textbox", { name: "Name of the assistant" }).fill("Brief");
  await expectAccessible(page, "parameters");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Assistant “Brief” saved.")).toBeVisible();
  await page.keyboard.press("Escape");

  await sayFirst(page, "Is it warm?");
  expect(server.asked.at(-1)).toMatchObject({ temperature: 0.3, max_tokens: 700 });
  await answers(page).last().hover();
  await answers(page).last().getByRole("button", { name: "Regenerate", exact: true }).click();
  await expect.poll(() => server.asked.length).toBe(2);
  expect(server.asked.at(-1)).toMatchObject({ temperature: 0.3, max_tokens: 700 });
  await expect(versions(answers(page).last())).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: /^Model: .*, 2 parameters set$/ })).toBeVisible();
  const receipt = await openReceipt(page, answers(page).last());
  await expect(receipt.getByText("700 tokens")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto("/");
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("combobox", { name: "Assistant" }).click();
  await page.getByRole("option", { name: "Brief" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Model: .*, 2 parameters set$/ })).toBeVisible();
});

test("what I mark is stored though I leave before it was sent", { tag: "@essential" }, async ({
  page,
  request,
}) => {
  await page.goto("/settings?section=models");
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByRole("searchbox", { name: "Search models" }).fill("gpt-30");
  // As many streams as a browser has connections to one server: what follows waits.
  await page.evaluate(() => Array.from({ length: 6 }, () => new EventSource("/api/events")));
  await page.getByRole("button", { name: "Add gpt-300 to favorites" }).click();
  await expect(page.getByRole("button", { name: "Remove gpt-300 from favorites" })).toBeVisible();
  await page.goto("about:blank");
  const favorites = async () => {
    const { models } = (await (await request.get("/api/models")).json()) as ModelsWire;
    return models.filter(({ isFavorite }) => isFavorite).map(({ label }) => label);
  };
  await expect.poll(favorites).toEqual(["gpt-300"]);
});

/** Sends on the page of a new chat that is open, and waits for the whole answer. */
async function sayFirst(page: Page, text: string): Promise<void> {
  await say(page, text);
  await expect(answers(page).last().getByRole("button", { name: "More actions" })).toBeVisible();
}

test("a model that vanished says so, and another one answers", async ({ page }) => {
  await choose(page, goneModel.slice("gone/".length));
  await say(page, "Are you there?");
  const failure = answers(page).getByRole("alert");
  await expect(failure).toContainText("does not offer this model any more");
  await failure.getByRole("button", { name: "Another model" }).click();
  await page.getByRole("combobox", { name: "Search models" }).fill("gpt-9");
  await page.getByRole("option").first().click();
  await expect(answers(page).last()).toContainText("This is house/gpt-9.");
});

test("I watch a model think while its thoughts are closed, and see how long it took", async ({
  page,
}) => {
  server.thinkMs = 2_500;
  await choose(page, thinkingModel.slice("thinker/".length));
  await say(page, "What is a kettle?");
  const answer = answers(page).last();
  await expect(answer.getByText("First I weigh")).toBeVisible();
  await expect(answer.getByText(/^Thought for \d s$/)).toBeVisible();
  await expect(answer.getByText("First I weigh")).toBeHidden();
  await page.reload();
  await answers(page)
    .last()
    .getByText(/^Thought for \d s$/)
    .click();
  await expect(
    answers(page)
      .last()
      .getByText(/the kettle\./),
  ).toBeVisible();
});

test("I ask four models at once, stop one, keep one, and lose none", async ({ page, context }) => {
  server.words = Number.POSITIVE_INFINITY;
  server.pauseMs = 40;
  const names = ["gpt-21", "gpt-22", "gpt-23", "gpt-24"];
  await chooseSeveral(page, names);
  await say(page, "What is a kettle?");
  const column = (name: string) => page.getByRole("region", { name: `Answer of ${name}` });
  for (const name of names) await expect(column(name)).toContainText(`This is house/${name}.`);
  expect(new Set(server.asked.map(({ model }) => model)).size).toBe(4);
  await expectAccessible(page, "four answers being written");

  await page.waitForURL(/\/s\//);
  const second = await context.newPage();
  await second.goto(page.url());
  const there = second.getByRole("region", { name: "Answer of gpt-24" });
  await expect(there).toContainText("word9");

  await column("gpt-21").getByRole("button", { name: "Stop gpt-21" }).click();
  await expect(column("gpt-21").getByText("Stopped")).toBeVisible();
  await expect(column("gpt-22").getByRole("button", { name: "Stop gpt-22" })).toBeVisible();

  await page.reload();
  for (const name of names) await expect(column(name)).toContainText(`This is house/${name}.`);
  server.words = 0;
  for (const name of names.slice(1))
    await expect(
      column(name).getByRole("button", { name: `Keep the answer of ${name}` }),
    ).toBeVisible();
  await expectAccessible(page, "four answers");
  await column("gpt-23").getByRole("button", { name: "Keep the answer of gpt-23" }).click();
  await expect(answers(page)).toHaveCount(1);
  await expect(answers(page)).toContainText("This is house/gpt-23.");
  await expect(second.getByRole("article", { name: /^Answer/ })).toHaveCount(1);
  await versions(answers(page))
    .getByRole("button", { name: /version menu/ })
    .click();
  for (const name of names)
    await expect(page.getByRole("menuitemradio", { name: new RegExp(`· ${name}$`) })).toBeVisible();
  await page.getByRole("menuitemradio", { name: /· gpt-22$/ }).click();
  await expect(answers(page)).toContainText("This is house/gpt-22.");
});

test("on a phone the list is a sheet, and answers side by side are swiped", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openPicker(page);
  await expect(
    page.getByRole("option", { name: /^gpt-1 / }).locator(".lucide-wrench"),
  ).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog", { name: "Choose a model" })).toBeHidden();
  await expect(page).toHaveURL("/");
  await chooseSeveral(page, ["gpt-31", "gpt-32"]);
  await say(page, "What is a kettle?");
  const later = page.getByRole("region", { name: "Answer of gpt-32" });
  await expect(later.getByRole("button", { name: "Keep the answer of gpt-32" })).toBeAttached();
  await expect(later).not.toBeInViewport({ ratio: 0.8 });
  await page
    .getByRole("navigation", { name: "Answers" })
    .getByRole("button", { name: "gpt-32" })
    .click();
  await expect(later).toBeInViewport({ ratio: 0.8 });
  await expectAccessible(page, "answers on a phone");
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  await expect(composer(page)).toBeVisible();
});

async function openParameters(page: Page): Promise<void> {
  await openPicker(page);
  await page.getByRole("button", { name: /^More…/ }).click();
}

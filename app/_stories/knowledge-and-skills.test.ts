import { describe, expect } from "vitest";
import { makeZip } from "@/app/_features/memory/skill-import/testing/make-zip";
import { redPixel } from "@/lib/chat/files/testing/small-files";
import type { Locator } from "./testing/locator";
import { ask, askFirst, openContext, openDrawer, openLine } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import type { StoryRequest } from "./testing/test";
import { test } from "./testing/test";

describe("Knowledge", () => {
  test("I add a text, search it, and the model finds it", { tags: "long" }, async ({
    page,
    request,
  }) => {
    await addEntry(request, "knowledge", { title: "Sowing calendar", content: "Beans in May." });
    await addEntry(request, "knowledge", { title: "Bus times", content: "Every ten minutes." });
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    await openLine(panel, "Knowledge");
    await panel.getByRole("button", { name: "Add text" }).click();
    const dialog = page.getByRole("dialog", { name: "Add knowledge" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("Enter a name.")).toBeVisible();
    await dialog.getByRole("textbox", { name: "Title" }).fill("Boiler manual");
    await dialog
      .getByRole("textbox", { name: "Text" })
      .fill("The boiler beeps twice when its pressure is below one bar. Open the filling valve.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(panel.getByRole("button", { name: "Boiler manual", exact: true })).toBeVisible();

    const search = panel.getByRole("searchbox", { name: "Search knowledge" });
    await search.fill("filling valve");
    await expect(panel.getByRole("button", { name: "Boiler manual", exact: true })).toBeVisible();
    await expect(panel.getByRole("button", { name: "Sowing calendar" })).toHaveCount(0);
    await search.fill("zeppelin");
    await expect(panel.getByText("No results for “zeppelin”.")).toBeVisible();

    const answer = await ask(page, "Search my knowledge for boiler pressure");
    await expect(answer.getByText("Searched")).toBeVisible();
    await expect(answer).toContainText("The boiler beeps twice");

    await search.fill("");
    await panel.getByRole("button", { name: "Actions for Boiler manual" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(panel.getByRole("button", { name: "Boiler manual", exact: true })).toBeHidden();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(panel.getByRole("button", { name: "Boiler manual", exact: true })).toBeVisible();
  });
});

test("I add files to my knowledge, one comes back, and a model finds a page of it", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/settings?section=knowledge");
  const main = page.getByRole("main");
  const text = (name: string, words: string) => {
    return { name, mimeType: "text/plain", buffer: Buffer.from(words) };
  };
  const image = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(redPixel) };
  const report = text("report.txt", "The quince gave 412 kilograms.");
  await main.getByLabel("Add files").setInputFiles([report, text("plan.txt", "Prune."), image]);
  await expect(main.getByRole("alert")).toContainText(
    "“dot.png” was not added. Only text, PDF and office documents can be searched.",
  );
  await expect(main.getByRole("button", { name: "report.txt", exact: true })).toBeVisible();
  await main.getByRole("button", { name: "Delete plan.txt" }).click();
  await expect(main.getByRole("button", { name: "plan.txt", exact: true })).toBeHidden();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(main.getByRole("button", { name: "plan.txt", exact: true })).toBeVisible();
  const answer = await askFirst(page, "Call search_files with quince");
  await expect(answer.getByText("Searched files for")).toBeVisible();
  await answer.getByRole("button", { name: "Open report.txt, p. 1" }).click();
  const viewer = page.getByRole("dialog", { name: "report.txt" });
  await expect(viewer.getByText("The quince gave 412 kilograms.")).toBeVisible();
});

test("a title that is taken is refused in the form and in an import, and the text stays", {
  tags: "long",
}, async ({ page, request }) => {
  await addEntry(request, "knowledge", { title: "Train times", content: "Every hour." });
  await page.goto("/settings?section=knowledge");
  const main = page.getByRole("main");
  const refusal = "An entry called “Train times” already exists. Choose another name, or edit it.";
  await main.getByRole("button", { name: "Add text" }).click();
  const dialog = page.getByRole("dialog", { name: "Add knowledge" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Train times");
  await dialog.getByRole("textbox", { name: "Text" }).fill("Every minute.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(refusal);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  const file = (text: string) => ({
    name: "Train times.txt",
    mimeType: "text/plain",
    buffer: Buffer.from(text),
  });
  await main.getByLabel("Import texts").setInputFiles([file("Never.")]);
  await expect(main.getByRole("alert")).toContainText(
    `“Train times.txt” was not added. ${refusal}`,
  );
  await main.getByRole("button", { name: "Train times", exact: true }).click();
  const editing = page.getByRole("dialog", { name: "Edit knowledge" });
  await expect(editing.getByRole("textbox", { name: "Text" })).toHaveValue("Every hour.");
});

describe("Skills", () => {
  test("I import a SKILL.md after seeing what it is, and load and unload it myself", {
    tags: "long",
  }, async ({ page }) => {
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    await openLine(panel, "Skills");
    const dialog = page.getByRole("dialog", { name: "Import skills" });
    await panel.getByLabel("Import file or zip").setInputFiles(skillFile);
    await expect(planned(dialog, "paper-boats")).toContainText(
      "Folds paper boats. Use it near water.",
    );
    await expect(planned(dialog, "paper-boats")).toContainText("New");
    await expect(panel.getByRole("button", { name: "paper-boats", exact: true })).toHaveCount(0);
    await dialog.getByRole("button", { name: "Import 1 skill" }).click();
    await expect(dialog).toBeHidden();
    await expect(panel.getByText("Folds paper boats. Use it near water.")).toBeVisible();

    await panel.getByLabel("Import file or zip").setInputFiles(skillFile);
    await expect(planned(dialog, "paper-boats")).toContainText("Unchanged");
    await dialog.getByRole("button", { name: "Close" }).first().click();

    await panel.getByRole("button", { name: "Load paper-boats" }).click();
    await expect(panel.getByText("Loaded", { exact: true })).toBeVisible();
    const context = await openContext(page);
    const loaded = context.getByRole("listitem").filter({ hasText: "paper-boats" });
    await expect(loaded).toContainText(/\d+ tokens/);
    await loaded.getByRole("button", { name: "Unload paper-boats" }).click();
    await expect(context.getByText("No skills loaded.")).toBeVisible();
  });

  test("the model loads a skill when I ask for it, and unloads it", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const content = "Ask one question at a time before you name a cause. ".repeat(10);
    await addEntry(request, "skills", { title: "plant-doctor", content });
    await askFirst(page, "What can you do?");
    const before = await tokensInUse(page);
    const answer = await ask(page, "Load the skill plant-doctor");
    await expect(answer).toContainText("I loaded plant-doctor");

    const panel = await openDrawer(page, "Memory");
    await openLine(panel, "Skills");
    await expect(panel.getByText("Loaded", { exact: true })).toBeVisible();
    const context = await openContext(page);
    const loaded = context.getByRole("listitem").filter({ hasText: "plant-doctor" });
    await expect(loaded).toContainText(/1\d\d tokens/);
    await expect.poll(() => tokensInUse(page)).toBeGreaterThan(before + 100);

    await ask(page, "Unload the skill plant-doctor");
    await expect(context.getByText("No skills loaded.")).toBeVisible();
  });
});

describe("Importing", () => {
  test("a skill keeps the files it names: I read and load one, and they go and come with it", {
    tags: "long",
  }, async ({ page }) => {
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    await openLine(panel, "Skills");
    const archive = makeZip([
      { name: "hiking/SKILL.md", content: "---\nname: hiking\n---\nRead lists/boots.md first." },
      { name: "hiking/lists/boots.md", content: "Boots that are walked in." },
    ]);
    await panel.getByLabel("Import file or zip").setInputFiles(await zipFile(archive));
    const dialog = page.getByRole("dialog", { name: "Import skills" });
    await dialog.getByRole("button", { name: "Import 1 skill" }).click();
    const hiking = panel.getByRole("listitem").filter({ hasText: "hiking" }).first();
    await hiking.getByText("1 file", { exact: true }).click();
    await panel.getByRole("button", { name: "Load hiking/lists/boots.md" }).click();
    const context = await openContext(page);
    await context.getByRole("button", { name: "Unload hiking/lists/boots.md" }).click();
    await expect(context.getByText("No skills loaded.")).toBeVisible();

    await openDrawer(page, "Memory");
    await openLine(panel, "Skills");
    await panel.getByRole("button", { name: "Actions for hiking", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(panel.getByText("hiking")).toHaveCount(0);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(hiking.getByText("1 file", { exact: true })).toBeVisible();
  });

  test("an archive made to overflow is refused", async ({ page }) => {
    await page.goto("/settings?section=skills");
    const bomb = makeZip([{ name: "bomb/SKILL.md", content: " ".repeat(700_000) }]);
    await page
      .getByRole("main")
      .getByLabel("Import file or zip")
      .setInputFiles(await zipFile(bomb));
    const dialog = page.getByRole("dialog", { name: "Import skills" });
    await expect(dialog.getByRole("alert")).toHaveText(
      "“skills.zip”: it unpacks to far more than a text would.",
    );
    await expect(dialog.getByRole("button", { name: /^Import/ })).toHaveCount(0);
  });

  test("I add several text files as knowledge, and each that cannot be added says why", {
    tags: "long",
  }, async ({ page }) => {
    await page.goto("/settings?section=knowledge");
    const main = page.getByRole("main");
    const text = (name: string, content: string | Buffer) => ({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(content),
    });
    await main
      .getByLabel("Import texts")
      .setInputFiles([
        text("roof.md", "The roof was done in 2019."),
        text("photo.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0])),
        text("long.txt", "x".repeat(900_000)),
        text("stove.txt", "The stove wants dry wood."),
      ]);
    const problems = main.getByRole("alert").getByRole("listitem");
    await expect(problems).toHaveText([
      "“photo.png” is not a text file.",
      "“long.txt” is larger than 800 KB. Split it and add the parts.",
    ]);
    await expect(main.getByRole("button", { name: "roof", exact: true })).toBeVisible();
    await expect(main.getByRole("button", { name: "stove", exact: true })).toBeVisible();
    await main.getByRole("alert").getByRole("button", { name: "Close" }).click();
    await expect(main.getByRole("alert")).toHaveCount(0);
  });
});

function planned(dialog: Locator, name: string): Locator {
  return dialog.getByRole("listitem").filter({ hasText: name });
}

async function zipFile(archive: Blob) {
  const buffer = Buffer.from(await archive.arrayBuffer());
  return { name: "skills.zip", mimeType: "application/zip", buffer };
}

const skillFile = {
  name: "SKILL.md",
  mimeType: "text/markdown",
  buffer: Buffer.from(
    "---\nname: paper-boats\ndescription: Folds paper boats. Use it near water.\nlicense: none\n---\n\n# Paper boats\n\n1. Fold the sheet in half.\n2. Fold both corners down.\n",
  ),
};

async function tokensInUse(page: StoryPage): Promise<number> {
  const context = await openContext(page);
  const words = await context.getByText(/^[\d,]+ of [\d,]+ tokens$/).innerText();
  return Number(words.split(" of ")[0]?.replaceAll(",", ""));
}

async function addEntry(
  request: StoryRequest,
  label: string,
  entry: { title: string; content: string },
): Promise<void> {
  const response = await request.post(`/api/blocks/${label}/entries`, { data: entry });
  expect(response.status()).toBe(201);
}

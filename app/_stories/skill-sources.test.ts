import { afterAll, beforeAll, describe, expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { closedBucket, endServer, startServer } from "./testing/server";
import { ask, askFirst, openContext, openDrawer } from "./testing/session-page";
import { test } from "./testing/test";

beforeAll(() => startServer({ GROVE_SKILLS_DIR: "e2e/fixtures/skills", ...closedBucket }));
afterAll(endServer);

describe("Skills kept elsewhere", () => {
  test("I see the skills of a folder, read one, and load and unload it", { tags: "long" }, async ({
    page,
  }) => {
    await askFirst(page, "What can you do?");
    const memory = await openDrawer(page, "Memory");
    const folder = memory.getByRole("article", { name: "Skills folder" });
    await expect(folder.getByText(/^The folder .*e2e\/fixtures\/skills · 3 skills$/)).toBeVisible();
    await expect(folder.getByText("Packs for a journey. Use it before every trip.")).toBeVisible();
    await expect(folder.getByText("Cannot be loaded: “SKILL.md” is not UTF-8 text.")).toBeVisible();
    await expect(
      folder.getByRole("listitem").filter({ hasText: "Writes the minutes" }),
    ).toContainText(/\d+ tokens/);

    await folder.getByRole("button", { name: "packing", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "packing" });
    await expect(dialog).toContainText("Lay everything out, then take half of it.");
    await page.keyboard.press("Escape");

    await folder.getByRole("button", { name: "Load packing" }).click();
    await expect(folder.getByText("Loaded", { exact: true })).toBeVisible();
    const context = await openContext(page);
    await context.getByRole("button", { name: "Unload packing" }).click();
    await expect(context.getByText("No skills loaded.")).toBeVisible();
  });

  test("the model loads one when I ask for it", { tags: "long" }, async ({ page }) => {
    await askFirst(page, "What can you do?");
    const answer = await ask(page, "Load the skill packing");
    await expect(answer).toContainText("I loaded packing");
    const memory = await openDrawer(page, "Memory");
    const folder = memory.getByRole("article", { name: "Skills folder" });
    await expect(folder.getByText("Loaded", { exact: true })).toBeVisible();
  });

  test("a bucket that cannot be reached says so in its own place, and keeps its secret", async ({
    page,
    request,
  }) => {
    await page.goto("/settings?section=skills");
    const bucket = page.getByRole("article", { name: "Skills bucket" });
    await expect(bucket.getByRole("alert")).toContainText(
      "Bucket “closed” at 127.0.0.1:9 cannot be reached",
    );
    await expect(page.getByRole("article", { name: "Skills folder" })).toContainText("3 skills");
    await expect(page.getByRole("button", { name: "New skill" })).toBeVisible();
    for (const path of ["/api/blocks", "/api/blocks/skills-bucket/entries", "/api/settings"]) {
      const text = await (await request.get(path)).text();
      expect(text, path).not.toContain("a-secret-nobody-may-see");
      expect(text, path).not.toContain("AKIDOFTHISTEST");
    }
    expect(document.documentElement.outerHTML).not.toContain("a-secret-nobody-may-see");
    await expectAccessible(page, "skills kept elsewhere");
  });
});

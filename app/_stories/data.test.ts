import { describe, expect } from "vitest";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const openData = async (page: StoryPage) => {
  await page.goto("/settings?section=data");
  await expect(page.getByRole("link", { name: "Export" })).toBeVisible();
};

describe("My data", () => {
  test("I stop a long deletion of everything, and keep the rest", async ({ page }) => {
    await openData(page);
    const asked = Promise.withResolvers<void>();
    // 100,000 chats take long enough to press Stop; one does not.
    await page.route("**/api/data", async (route) => {
      if (route.request().method() !== "DELETE") return route.fallback();
      await asked.promise;
      const counts = { sessions: 12, messages: 30, documents: 0, providers: 0, calls: 0 };
      return route.fulfill({ json: { ...counts, isStopped: true } });
    });
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete everything?" });
    await dialog.getByRole("textbox").fill("delete everything");
    await dialog.getByRole("button", { name: "Delete everything" }).click();
    await expect(dialog.getByRole("status")).toContainText(
      "left. It goes on if you close this page",
    );
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const stopped = page.waitForResponse("**/api/data/stop");
    await dialog.getByRole("button", { name: "Stop" }).click();
    expect((await stopped).status()).toBe(200);
    asked.resolve();
    await expect(
      page.getByText("Stopped. Deleted: 12 chats with 30 messages. The rest is still here."),
    ).toBeVisible();
    await expect(dialog).toBeHidden();
  });

  test("a deletion that fails after I closed its dialog says why when I open it again", {
    tags: "long",
  }, async ({ page }) => {
    await openData(page);
    const asked = Promise.withResolvers<void>();
    await page.route("**/api/data", async (route) => {
      if (route.request().method() !== "DELETE") return route.fallback();
      await asked.promise;
      const error = { code: "database", message: "The database is away." };
      return route.fulfill({ status: 503, json: { error } });
    });
    const open = page.getByRole("button", { name: "Delete", exact: true });
    const dialog = page.getByRole("dialog", { name: "Delete everything?" });
    await open.click();
    await dialog.getByRole("textbox").fill("delete everything");
    await dialog.getByRole("button", { name: "Delete everything" }).click();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    asked.resolve();
    await open.click();
    await expect(dialog.getByText("The database is away.")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
  });
});

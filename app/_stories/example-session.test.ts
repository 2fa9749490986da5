import { describe, expect } from "vitest";
import { makeSession, store } from "./testing/api";
import { act, answers } from "./testing/conversation";
import { openDrawer, openReceipt } from "./testing/session-page";
import { test } from "./testing/test";

const title = "Example: a balcony garden";

describe("The example session", () => {
  test("keeps its memory to itself, and its texts are found from elsewhere", {
    tags: "long",
  }, async ({ page, request }) => {
    await page.goto(`/s/${await makeSession(request, "Mine")}`);
    const memory = await openDrawer(page, "Memory");
    await expect(memory.getByRole("article", { name: "Tasks" })).toBeVisible();
    await expect(memory.getByText(/balcony|Sowing calendar|plant-doctor/)).toHaveCount(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search and commands" }).fill("purslane");
    await page.getByRole("option", { name: /Sowing calendar/ }).click();
    await expect(page).toHaveURL(/\/s\/example-garden/);
    await expect(memory.getByRole("article", { name: "Garden notes" })).toBeVisible();
  });

  test("says of its answers what they were made from", async ({ page }) => {
    await page.goto("/s/example-garden");
    const receipt = await openReceipt(page, answers(page).last());
    await expect(receipt.getByRole("heading", { name: "Messages (6)" })).toBeVisible();
    await expect(receipt).toContainText("Summary");
    await expect(receipt).toContainText("Grows vegetables on a south-west balcony");
  });

  test("an answer that came from elsewhere says calmly that it has no receipt", {
    tags: "long",
  }, async ({ page, request }) => {
    const sessionId = await makeSession(request, "From elsewhere");
    await store(request, sessionId, "An answer from another place");
    const lines = await (await request.get(`/api/sessions/${sessionId}/export`)).text();
    const moved = lines.replaceAll(sessionId, "elsewhere").replace('"user"', '"assistant"');
    const imported = await request.post("/api/import", {
      data: moved,
      headers: { "content-type": "application/x-ndjson" },
    });
    expect(imported.ok()).toBe(true);
    await page.goto("/s/elsewhere");
    await act(page, answers(page).last(), "Show prompt");
    const dialog = page.getByRole("dialog", { name: "Prompt for this answer" });
    await expect(dialog).toContainText("No receipt was kept for this answer.");
    await expect(dialog.getByRole("alert")).toHaveCount(0);
    await expect(dialog.getByRole("button", { name: "Retry" })).toHaveCount(0);
  });

  test("goes away when I delete it, and comes back from the settings", { tags: "long" }, async ({
    page,
  }) => {
    await page.goto("/");
    const sessions = page.getByRole("navigation", { name: "Chats" });
    const link = sessions.getByRole("link", { name: title });
    await link.click();
    await page
      .getByRole("banner")
      .getByRole("button", { name: `Actions for ${title}` })
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(link).toHaveCount(0);

    await page.goto("/settings?section=data");
    await page.getByRole("button", { name: "Recreate" }).click();
    await expect(page).toHaveURL(/\/s\/example/);
    await expect(page.getByRole("region", { name: /summarized$/ })).toBeVisible();
    await expect(link).toBeVisible();
  });
});

import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { makeSession, store } from "./support/api";
import { test } from "./support/own-grove";

test.describe("Backups", () => {
  test("I back up now, and the list shows the backup and its place", async ({ page, request }) => {
    const sessionId = await makeSession(request, "Worth keeping");
    await store(request, sessionId, "A text to keep");
    await page.goto("/settings?section=data");
    await expect(page.getByText("Not scheduled.")).toBeVisible();
    await expect(page.getByText("Never")).toBeVisible();
    await page.getByRole("button", { name: "Back up now" }).click();
    const list = page.getByRole("list", { name: "Backups" });
    await expect(list.getByText(/^grove-manual-.*\.zip$/)).toHaveCount(1);
    await expect(page.getByText("Never")).toBeHidden();
    await expectAccessible(page, "backups");
  });
});

test.describe("Scheduled backups", () => {
  test.use({ groveEnvironment: { GROVE_BACKUP_EVERY: "1d", GROVE_BACKUP_KEEP: "3" } });

  test("I see that one was made at the start, and when the next is due", async ({ page }) => {
    await page.goto("/settings?section=data");
    await expect(page.getByText("Every day, newest 3 kept")).toBeVisible();
    await expect(async () => {
      await page.reload();
      await expect(page.getByText(/^grove-scheduled-.*\.zip$/)).toHaveCount(1, { timeout: 2_000 });
    }).toPass();
    await expect(page.getByText("in 23 hours")).toBeVisible();
  });
});

test.describe("Backups that cannot be written", () => {
  test.use({ groveEnvironment: { GROVE_BACKUP_DIR: "/proc/grove-backups" } });

  test("I am told why and what to do", async ({ page }) => {
    await page.goto("/settings?section=data");
    await page.getByRole("button", { name: "Back up now" }).click();
    await expect(page.getByText(/The last backup failed now: .*Check the path/)).toBeVisible();
    await expectAccessible(page, "failed backup");
  });
});

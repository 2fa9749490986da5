import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { makeSession, store } from "./support/api";
import { test } from "./support/own-grove";

test.use({ groveEnvironment: { GROVE_BACKUP_EVERY: "1d", GROVE_BACKUP_KEEP: "3" } });

test("I see the scheduled backups, and back up now", { tag: "@essential" }, async ({
  page,
  request,
}) => {
  const sessionId = await makeSession(request, "Worth keeping");
  await store(request, sessionId, "A text to keep");
  await page.goto("/settings?section=data");
  await expect(page.getByText("Every day, newest 3 kept")).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/^grove-scheduled-.*\.zip$/)).toHaveCount(1, { timeout: 2_000 });
  }).toPass();
  await expect(page.getByText("in 23 hours")).toBeVisible();
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect(page.getByText(/^grove-manual-.*\.zip$/)).toHaveCount(1);
  await expectAccessible(page, "backups");
});

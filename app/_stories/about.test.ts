import { expect } from "vitest";
import packageJson from "@/package.json" with { type: "json" };
import { expectAccessible } from "./testing/accessible";
import { test } from "./testing/test";

const { version } = packageJson;

test("I see which version I run, and what is new in it", async ({ page }) => {
  await page.goto("/settings?section=about");
  await expect(page.getByText(`Grove ${version}`, { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: new RegExp(`^${version}`) })).toBeVisible();
  await expect(page.getByText(/MB in Postgres \d+/)).toBeVisible();
  await expectAccessible(page, "about");
});

test("I am told once after an upgrade what is new, and not at my first start", {
  tags: "long",
}, async ({ page, request }) => {
  const notice = page.getByText(`Grove was updated to ${version}`);
  await page.goto("/settings?section=about");
  await expect(page.getByText(`Grove ${version}`, { exact: true })).toBeVisible();
  await expect(notice).toBeHidden();

  await request.patch("/api/settings", { data: { seenVersion: "0.0.1" } });
  await page.goto("/");
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "What's new" }).click();
  await expect(page.getByRole("heading", { name: "About" })).toBeVisible();
  await expect
    .poll(
      async () => ((await (await request.get("/api/about")).json()) as { isNew: boolean }).isNew,
    )
    .toBe(false);
  await page.reload();
  await expect(page.getByRole("heading", { name: "About" })).toBeVisible();
  await expect(notice).toBeHidden();
});

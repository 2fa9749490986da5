import { describe, expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { converse } from "./testing/conversation";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const chart = (page: StoryPage) => page.getByRole("slider", { name: /over time$/ });

describe("Usage", () => {
  // Other stories of this worker have used models, too.
  test.beforeEach(async ({ request }) => {
    const all = { data: { confirm: "delete everything" } };
    // Refused while an answer of an earlier story is still being written.
    await expect.poll(async () => (await request.delete("/api/data", all)).status()).toBe(200);
  });

  test("says what will be counted before anything was", { tags: "long" }, async ({ page }) => {
    await page.goto("/usage?range=7");
    await expect(page.getByText("No usage in this period")).toBeVisible();
    await expect(page.getByRole("link", { name: "New chat" }).last()).toBeVisible();
    await expectAccessible(page, "usage, empty");
  });

  test("counts my answer by day, model, session and purpose", { tags: "long" }, async ({
    page,
  }) => {
    const sessionId = await converse(page, "Tell me about tea");
    await page.getByRole("button", { name: /settings and usage$/ }).click();
    await page.getByRole("menuitem", { name: "Usage" }).click();
    await expect(page.getByRole("heading", { name: "Usage", level: 1 })).toBeVisible();
    await expect(
      page.getByRole("table", { name: "Usage by model" }).getByRole("rowheader"),
    ).toHaveText("Demo (scripted, no AI)");
    const session = page.getByRole("table", { name: "Usage by chat" }).getByRole("link");
    await expect(session).toHaveAttribute("href", `/s/${sessionId}`);
    await expect(
      page.getByRole("table", { name: "Usage by purpose" }).getByRole("rowheader", {
        name: "Answers",
      }),
    ).toBeVisible();
  });

  test("the chart is walked with the keyboard and is there as a table", { tags: "long" }, async ({
    page,
  }) => {
    await converse(page, "Tell me about coffee");
    await page.goto("/usage?range=7");
    await expect(chart(page)).toHaveAttribute("aria-valuetext", /input tokens/);
    await chart(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(chart(page)).toHaveAttribute("aria-valuetext", /: nothing$/);
    await page.keyboard.press("End");
    await expect(chart(page)).toHaveAttribute("aria-valuetext", /input tokens/);
    await page.getByRole("button", { name: "Show table" }).click();
    const table = page.getByRole("table", { name: "Usage by day" });
    await expect(table.getByRole("rowheader")).toHaveCount(1);
  });

  test("the range is in the address", async ({ page }) => {
    await page.goto("/usage");
    await page.getByRole("radio", { name: "90 days" }).click();
    await expect(page).toHaveURL(/range=90/);
    await page.reload();
    await expect(page.getByRole("radio", { name: "90 days" })).toBeChecked();
  });
});

import { describe, expect } from "vitest";
import { ask, askFirst, openContext } from "./testing/session-page";
import { test } from "./testing/test";

describe("The context gauge", () => {
  test("appears at 60 percent, and opens the drawer at what it is about", async ({ page }) => {
    await askFirst(page, "What can you do?");
    await openContext(page);
    const ring = page.getByRole("button", { name: /^Context: / });
    await expect(page.getByText(/^[1-5]?\d%$/).first()).toBeVisible();
    await expect(ring).toHaveCount(0);
    await page.getByRole("tab", { name: "Memory" }).click();
    await ask(page, "birch ".repeat(2_600));
    await ring.click();
    await expect(page.getByRole("tab", { name: "Context" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    const context = page.getByRole("tabpanel", { name: "Context" });
    await expect(context).toContainText("of 8,000 tokens");
    // Details stay as they were when the tab was left.
    await expect(context.getByRole("heading", { name: "Summaries" })).toBeVisible();
  });

  test("is shown whole, so that nothing moves away from under my pointer", {
    tags: "long",
  }, async ({ page }) => {
    await askFirst(page, "What can you do?");
    const release = Promise.withResolvers<void>();
    const late = /\/api\/sessions\/[^/]+\/(tree|compactions\/preview)/;
    let asked = 0;
    await page.route(late, async (route) => {
      asked += 1;
      await release.promise;
      return route.continue();
    });
    await page.getByRole("button", { name: "Context", exact: true }).click();
    const context = page.getByRole("tabpanel", { name: "Context" });
    const prompt = context.getByRole("heading", { name: "System prompt" });
    await expect.poll(() => asked).toBe(2);
    await expect(context.getByRole("status")).toHaveText("Loading context");
    await expect(prompt).toHaveCount(0);

    release.resolve();
    await expect(context.getByText("Space left")).toBeVisible();
    await expect(prompt).toHaveCount(0);
    await context.getByText("Details", { exact: true }).click();
    await expect(prompt).toBeVisible();
    await expect(context.getByText("Nothing on this branch has been summarized.")).toBeVisible();
  });
});

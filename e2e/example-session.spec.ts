import { expect } from "@playwright/test";
import { answers, questions } from "./support/conversation";
import { openDrawer } from "./support/session-page";
import { test } from "./support/test";

const title = "Example: a balcony garden";

test.describe("The example session", () => {
  test("shows branches, a summary, memory, and is found by search", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: title }).click();
    const seam = page.getByRole("region", { name: "Messages 3–10 summarized" });
    await expect(seam).toBeVisible();
    await seam.getByRole("button", { name: "View", exact: true }).click();
    await expect(seam).toContainText("Bought: Tumbling Tom and Balkonstar");
    await expect(
      answers(page).first().getByRole("group", { name: "Version 1 of 2" }),
    ).toBeVisible();

    const tree = (await openDrawer(page, "Tree")).getByRole("tree", { name: "Messages" });
    await expect(tree.getByRole("treeitem", { name: "Summary of 8 messages" })).toBeVisible();
    await expect(tree.getByRole("treeitem", { name: /Are peppers easier/ })).toBeVisible();

    const memory = await openDrawer(page, "Memory");
    const facts = memory.getByRole("article", { name: "Garden facts" });
    await expect(facts).toContainText("Is away for two weeks every July");
    await expect(facts).toContainText("This chat");
    await facts.getByRole("button", { name: "History of Garden facts" }).click();
    const versions = page.getByRole("list", { name: "Versions, newest first" });
    await expect(versions.getByRole("button", { name: /^Version 3 · You/ })).toBeVisible();
    await expect(versions.getByRole("button", { name: /^Version 1 · The model/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(memory.getByRole("article", { name: "Tasks" })).toContainText("Ask a neighbour");
    await expect(
      memory.getByRole("button", { name: "Sowing calendar", exact: true }),
    ).toBeVisible();
    await expect(memory.getByRole("button", { name: "plant-doctor", exact: true })).toBeVisible();

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search and commands" }).fill("windy corner");
    await page
      .getByRole("option", { name: /Peppers need less water/ })
      .first()
      .click();
    await expect(questions(page).filter({ hasText: "Are peppers easier" })).toBeVisible();
    await expect(answers(page).filter({ hasText: "forgive a windy corner" })).toBeInViewport();
  });
});

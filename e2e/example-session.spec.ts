import { expect } from "@playwright/test";
import { makeSession, store } from "./support/api";
import { act, answers, questions } from "./support/conversation";
import { openDrawer, openReceipt } from "./support/session-page";
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
    await expect(memory.getByRole("article", { name: "Todos" })).toContainText("Ask a neighbour");
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

  test("keeps its memory to itself, and its texts are found from elsewhere", async ({
    page,
    request,
  }) => {
    await page.goto(`/s/${await makeSession(request, "Mine")}`);
    const memory = await openDrawer(page, "Memory");
    await expect(memory.getByRole("article", { name: "Todos" })).toBeVisible();
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

  test("an answer that came from elsewhere says calmly that it has no receipt", async ({
    page,
    request,
  }) => {
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

  test("goes away when I delete it, and comes back from the settings", async ({ page }) => {
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

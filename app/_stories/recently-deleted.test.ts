import { describe, expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { makeSession, store, storedTexts } from "./testing/api";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const openDeleted = async (page: StoryPage) => {
  await page.goto("/settings?section=deleted");
  await expect(page.getByRole("heading", { name: "Recently deleted" })).toBeVisible();
};

describe("Recently deleted", () => {
  test("I find what I deleted by its name, restore it, and delete the rest for good", {
    tags: "long",
  }, async ({ page, request }) => {
    const kettles = await makeSession(request, "A kettle");
    const { entry } = await store(request, kettles, "Which kettle is best?");
    await store(request, kettles, "And which pot?");
    const pots = await makeSession(request, "A pot");
    await openDeleted(page);
    await expect(page.getByText("Nothing deleted")).toBeVisible();

    await request.delete(`/api/sessions/${kettles}/messages`, {
      data: { ids: [entry.message.id] },
    });
    await request.delete(`/api/sessions/${pots}`, { data: {} });
    const list = page.getByRole("list", { name: "Recently deleted" });
    await expect(list.getByRole("listitem")).toHaveCount(2);
    await expect(list.getByText("1 message in “A kettle”")).toBeVisible();
    await expectAccessible(page, "recently deleted");

    await page.getByRole("button", { name: "Restore “Which kettle is best?”" }).click();
    await expect(list.getByRole("listitem")).toHaveCount(1);
    expect(await storedTexts(request, kettles)).toEqual([
      "Which kettle is best?",
      "And which pot?",
    ]);

    await page.getByRole("button", { name: "Delete for good: “A pot”" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete for good?" });
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    await expect(page.getByText("Nothing deleted")).toBeVisible();
    const restoring = await request.post(`/api/sessions/${pots}/restore`, { data: {} });
    expect(restoring.status()).toBe(404);
  });

  test("a repeated request deletes nothing that I restored", async ({ request }) => {
    const id = await makeSession(request, "A kettle");
    const remove = () => request.delete(`/api/sessions/${id}?deletionId=once`, { data: {} });
    expect(await (await remove()).json()).toEqual({ deletionId: "once" });
    await request.post("/api/deletions/once/restore", { data: {} });
    expect(await (await remove()).json()).toEqual({ deletionId: "once" });
    expect((await request.get(`/api/sessions/${id}`)).status()).toBe(200);
  });

  test("I get there from the list of chats and from the message about a deletion, and read how long it is kept", {
    tags: "long",
  }, async ({ page, request }) => {
    const pots = await makeSession(request, "A pot");
    await page.goto("/");
    const list = page.getByRole("complementary", { name: "Chats and search" });
    const row = list.locator(`[data-session-link="${pots}"]`);
    await row.hover();
    await list.getByRole("button", { name: "Actions for A pot" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Deleted chats" }).click();
    await expect(page).toHaveURL(/section=deleted/);
    await expect(page.getByText(/(29|30) days left, until /)).toBeVisible();
    await page.goto("/");
    await list.getByRole("button", { name: "Filter chats" }).click();
    await page.getByRole("menuitem", { name: "Recently deleted" }).click();
    await expect(page).toHaveURL(/section=deleted/);
  });
});

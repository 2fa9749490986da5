import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { makeSession, store } from "./support/api";
import { answerAgain, answered, answers, converse } from "./support/conversation";
import { test } from "./support/test";

test.describe("Comparing two branches", () => {
  test("I put two answers to my question side by side, and go on from the older one", async ({
    page,
  }) => {
    await converse(page, "Remember that I like green tea.");
    await answerAgain(answers(page).last());
    await answered(page);
    const versions = answers(page).getByRole("group", { name: "Version 2 of 2" });
    await versions.getByRole("button", { name: /version menu/ }).click();
    await page.getByRole("menuitem", { name: "Compare with version 1" }).click();

    await expect(page.getByRole("heading", { name: "Compare branches" })).toBeVisible();
    await expect(page.getByText("Both continue from")).toContainText("I like green tea");
    const [left, right] = [sideOf(page, "Left"), sideOf(page, "Right")];
    await expect(left.getByRole("article", { name: "Answer" })).toHaveCount(1);
    await expect(right.getByRole("article", { name: "Answer" })).toHaveCount(1);
    await expect(
      left.getByText(/^1 message · Demo \(scripted, no AI\) · .+ in, .+ out · \$0/),
    ).toContainText("1 memory change");
    await expect(left.getByText("Added: ")).toHaveCount(1);

    await page.reload();
    await left.getByRole("button", { name: "Continue here: left branch" }).click();
    await expect(page).toHaveURL(/\?leaf=/);
    await expect(answers(page).getByRole("group", { name: "Version 1 of 2" })).toBeVisible();
  });

  test("answers keep their formatting, with what differs highlighted in it", async ({ page }) => {
    await converse(page, "Show me some formatting, please.");
    await answerAgain(answers(page).last());
    await answered(page);
    const versions = answers(page).getByRole("group", { name: "Version 2 of 2" });
    await versions.getByRole("button", { name: /version menu/ }).click();
    await page.getByRole("menuitem", { name: "Compare with version 1" }).click();
    const answer = sideOf(page, "Right").getByRole("article", { name: "Answer" });
    await expect(answer.locator(".prose strong").first()).toBeVisible();
    await expect(answer).toContainText(/\d+ words? differ/);
    const highlighted = () => page.evaluate(() => CSS.highlights.get("difference")?.size ?? 0);
    await expect.poll(highlighted).toBeGreaterThan(0);
    await page.getByRole("switch", { name: "Mark differences" }).click();
    await expect.poll(highlighted).toBe(0);
  });

  test("on a phone I see one branch at a time", async ({ page, request }) => {
    const { address } = await twoVersions(request);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(address);
    await expect(sideOf(page, "Left")).toBeVisible();
    await expect(sideOf(page, "Right")).toBeHidden();
    await page.getByRole("radio", { name: "Right" }).click();
    await expect(sideOf(page, "Right")).toContainText("the boat");
    await expect(sideOf(page, "Left")).toBeHidden();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await expectAccessible(page, "comparison on a phone");
  });

  test("everybody can read it", async ({ page, request }) => {
    const { address } = await twoVersions(request);
    await page.goto(address);
    await expect(sideOf(page, "Right").locator("mark")).toBeVisible();
    await expectAccessible(page, "comparison");
  });
});

function sideOf(page: Page, side: "Left" | "Right") {
  return page.locator(`section[aria-label="${side} branch"]`);
}

/** A question in two versions under another message. */
async function twoVersions(request: APIRequestContext) {
  const sessionId = await makeSession(request, "Two ways");
  const { entry } = await store(request, sessionId, "We are going to the sea");
  const parentId = entry.message.id;
  const write = async (text: string) =>
    (await store(request, sessionId, text, { id: crypto.randomUUID(), parentId })).entry.message.id;
  const left = await write("Shall we take the train tomorrow morning?");
  const right = await write("Shall we take the boat tomorrow morning?");
  return { sessionId, address: `/s/${sessionId}/compare?left=${left}&right=${right}` };
}

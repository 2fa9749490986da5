import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { makeSession, store } from "./support/api";
import { act, answerAgain, answered, answers, converse, questions } from "./support/conversation";
import { openDrawer } from "./support/session-page";
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

  test("differing words are marked, and the marks can be turned off", async ({ page, request }) => {
    const { address } = await twoVersions(request);
    await page.goto(address);
    await expect(sideOf(page, "Left").locator("mark")).toHaveText(["train"]);
    await expect(sideOf(page, "Right").locator("mark")).toHaveText(["boat"]);
    await expect(sideOf(page, "Left")).toContainText("2 words differ");
    await page.getByRole("switch", { name: "Mark differences" }).click();
    await expect(page.locator("mark")).toHaveCount(0);
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

  test("of long branches I read the beginning, and more when I ask for it", async ({
    page,
    request,
  }) => {
    const sessionId = await makeSession(request, "Two long ways");
    const { entry } = await store(request, sessionId, "Start");
    const parentId = entry.message.id;
    const right = await store(request, sessionId, "Right", { id: crypto.randomUUID(), parentId });
    let left = parentId;
    for (let n = 1; n <= 203; n++) {
      const stored = await store(request, sessionId, `Step ${n}`, {
        id: crypto.randomUUID(),
        parentId: left,
      });
      left = stored.entry.message.id;
    }
    await page.goto(`/s/${sessionId}/compare?left=${left}&right=${right.entry.message.id}`);
    const side = sideOf(page, "Left");
    await expect(side.getByText("3 more messages not shown.")).toBeVisible();
    await expect(side.getByText("Step 203", { exact: true })).toHaveCount(0);
    await side.getByRole("button", { name: "Show more" }).click();
    await expect(side.getByText("Step 203", { exact: true })).toBeVisible();
    await expect(side.getByRole("button", { name: "Show more" })).toBeHidden();
  });

  test("I choose two messages in the tree with the keyboard", async ({ page, request }) => {
    const { sessionId } = await twoVersions(request);
    await page.goto(`/s/${sessionId}`);
    await expect(questions(page)).toHaveCount(2);
    const panel = await openDrawer(page, "Tree");
    await panel.getByRole("tree", { name: "Messages" }).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("C");
    await expect(panel.getByRole("status")).toContainText("Shall we take the boat");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("C");
    await expect(page).toHaveURL(/\/compare\?left=.+&right=.+/);
    await expect(sideOf(page, "Left")).toContainText("the boat");
    await expect(sideOf(page, "Right")).toContainText("the train");
  });

  test("I choose two messages in the tree by clicking, and Esc leaves the choice", async ({
    page,
    request,
  }) => {
    const { sessionId } = await twoVersions(request);
    await page.goto(`/s/${sessionId}`);
    const panel = await openDrawer(page, "Tree");
    const note = panel.getByRole("status");
    const row = (name: RegExp) => panel.getByRole("treeitem", { name });
    const chooseTrain = async () => {
      await row(/the train/).hover();
      await row(/the train/)
        .getByRole("button", { name: "Actions for this message" })
        .click();
      await page.getByRole("menuitem", { name: "Compare" }).click();
    };
    await chooseTrain();
    await expect(row(/the train.*selected for comparison/)).toBeVisible();
    // Anywhere in the panel: here on the menu's button.
    await page.keyboard.press("Escape");
    await expect(note).toBeHidden();
    await chooseTrain();
    await expect(note).toContainText("Select another message");
    await row(/the boat/).click();
    await expect(page).toHaveURL(/\/compare\?left=.+&right=.+/);
    await expect(sideOf(page, "Left")).toContainText("the train");
    await expect(sideOf(page, "Right")).toContainText("the boat");
    await page.getByRole("link", { name: "Back" }).click();
    await expect(questions(page).last()).toContainText("the boat");
  });

  test("I compare the versions of a message from its own menu", async ({ page, request }) => {
    const { sessionId } = await twoVersions(request);
    await page.goto(`/s/${sessionId}`);
    await act(page, questions(page).last(), "Compare with version 1");
    await expect(sideOf(page, "Left")).toContainText("the train");
    await expect(sideOf(page, "Right")).toContainText("the boat");
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

  test("an address that leads nowhere says so", async ({ page, request }) => {
    const { sessionId } = await twoVersions(request);
    await page.goto(`/s/${sessionId}/compare?left=gone&right=away`);
    await expect(page.getByText("Nothing to compare")).toBeVisible();
    await page.getByRole("link", { name: "Back" }).click();
    await expect(questions(page)).toHaveCount(2);
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

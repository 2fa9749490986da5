import { expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { act, answers, composer, converse, say, versions } from "./testing/conversation";
import { test } from "./testing/test";

test("I edit an answer: a version marked as mine, beside the original", async ({ page }) => {
  await converse(page, "Please greet me");
  const answer = answers(page).first();
  const original = (await answer.locator(".prose").innerText()).trim();
  await answer.hover();
  await answer.getByRole("button", { name: "Edit", exact: true }).click();
  const field = page.getByRole("textbox", { name: "Edit the answer" });
  await expect(field).toBeFocused();
  await expectAccessible(page, "an answer being edited");
  await field.fill("A **pelican** greets you.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(answer.locator(".prose")).toHaveText("A pelican greets you.");
  await expect(answer).toContainText("Edited by you");
  await expect(composer(page)).toBeFocused();

  await versions(answer)
    .getByRole("button", { name: /version menu/ })
    .click();
  await expect(page.getByRole("menuitemradio", { name: /Edited by you/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await versions(answer).getByRole("button", { name: "Previous version" }).click();
  await expect(answer.locator(".prose")).toHaveText(original);
  await expect(answer).not.toContainText("Edited by you");
  await versions(answer).getByRole("button", { name: "Next version" }).click();
  await expect(answer).toContainText("Edited by you");

  await page.reload();
  await expect(answer).toContainText("Edited by you");
  await say(page, "And what did you say?");
  await expect(answers(page)).toHaveCount(2);
  await act(page, answers(page).nth(1), "Show prompt");
  const receipt = page.getByRole("dialog", { name: "Prompt for this answer" });
  await expect(receipt.getByRole("listitem").filter({ hasText: "pelican" })).toContainText(
    "Edited by you.",
  );
});

test("An edit that a reload interrupts is still there, and one I give up changes nothing", {
  tags: "long",
}, async ({ page }) => {
  await converse(page, "Please greet me");
  const answer = answers(page).first();
  const original = (await answer.locator(".prose").innerText()).trim();
  await answer.hover();
  await answer.getByRole("button", { name: "Edit", exact: true }).click();
  const field = page.getByRole("textbox", { name: "Edit the answer" });
  await field.fill("Half an edit");
  await page.reload();
  await answer.hover();
  await answer.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(field).toHaveValue("Half an edit");
  await field.press("Escape");
  await expect(answer.locator(".prose")).toHaveText(original);
  await expect(versions(answer)).toHaveCount(0);
});

import { expect, type Locator } from "@playwright/test";
import { act, answered, answers, composer, converse, questions } from "./support/conversation";
import { askFirst, openDrawer } from "./support/session-page";
import { test } from "./support/test";

/** Safari ends the composition before, and only the code says that the key was part of it. */
async function convert(field: Locator, key: "Enter" | "Escape"): Promise<void> {
  await field.evaluate((element, name) => {
    const pressed = { key: name, code: name, bubbles: true, cancelable: true };
    element.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
    element.dispatchEvent(new KeyboardEvent("keydown", { ...pressed, keyCode: 229 }));
    element.dispatchEvent(new KeyboardEvent("keyup", { ...pressed, keyCode: 13 }));
  }, key);
}

test.describe("Writing with an input method", () => {
  test("an edited question is sent by Enter, not by the Enter that takes a conversion", {
    tag: "@essential",
  }, async ({ page }) => {
    await converse(page, "Which branch of a fig bears?");
    await questions(page).hover();
    await questions(page).getByRole("button", { name: "Edit", exact: true }).click();
    const field = page.getByRole("textbox", { name: "Edit your message" });
    await field.fill("にほん");
    await convert(field, "Enter");
    await convert(field, "Escape");
    await expect(field).toHaveValue("にほん");
    await field.fill("日本の庭");
    await field.press("Enter");
    await expect(questions(page)).toHaveText(/日本の庭/);
    await answered(page);
    await expect(answers(page)).toHaveCount(1);
  });

  test("Escape that cancels a conversion closes neither an editor nor a dialog", async ({
    page,
  }) => {
    await askFirst(page, "Remember that I play the cello");
    const panel = await openDrawer(page, "Memory");
    const memory = panel.getByRole("article", { name: "About you" });
    await expect(memory).toContainText("Plays the cello");
    await memory.getByRole("button", { name: /^Edit / }).click();
    const field = memory.getByRole("textbox");
    await convert(field, "Escape");
    await expect(field).toBeFocused();
    await field.press("Escape");
    await expect(field).toBeHidden();

    await act(page, questions(page), "Bookmark");
    await questions(page).getByRole("button", { name: "Bookmarked" }).click();
    const name = page.getByRole("dialog", { name: "Name this bookmark" }).getByRole("textbox");
    await convert(name, "Escape");
    await convert(name, "Enter");
    await expect(name).toBeVisible();
    await name.press("Escape");
    await expect(name).toBeHidden();
  });
});

test.describe("On a touch screen", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("Enter begins a line, and the button sends", async ({ page }) => {
    await page.goto("/");
    await composer(page).pressSequentially("One line");
    await composer(page).press("Enter");
    await composer(page).pressSequentially("and another");
    await expect(composer(page)).toHaveValue("One line\nand another");
    await page.getByRole("button", { name: "Send" }).tap();
    await expect(questions(page)).toContainText("and another");
  });
});

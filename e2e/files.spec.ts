import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import { answered, answers, questions, say } from "./support/conversation";
import { test } from "./support/test";

const picture = fileURLToPath(new URL("fixtures/files/leaf.png", import.meta.url));

const attached = (page: Page) => page.getByRole("list", { name: "Attached files" });

async function pick(
  page: Page,
  files: Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0],
) {
  // The models come once the page's scripts run.
  await expect(page.getByRole("button", { name: /^Model:/ })).toBeVisible();
  await page.getByLabel("Attach files").and(page.locator("input")).setInputFiles(files);
}

test("a picture is sent to the model, and stays in the chat after a reload", {
  tag: "@essential",
}, async ({ page }) => {
  await page.goto("/");
  await pick(page, picture);
  await expect(attached(page)).toContainText("64 × 48");
  await say(page, "Which tree is this?");
  await page.waitForURL(/\/s\//);
  await answered(page);
  await expect(answers(page)).toContainText("leaf.png: image/png");
  await page.reload();
  const shown = questions(page).getByRole("img", { name: "leaf.png" });
  await expect(shown).toBeVisible();
  expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);
});

test.describe("On a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("I attach a photo from the camera", async ({ page }) => {
    await page.goto("/");
    const tools = page.getByRole("form", { name: "Message" }).getByRole("button");
    await expect(tools.filter({ visible: true })).toHaveCount(3);
    await page.getByRole("button", { name: "Attach and more" }).tap();
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("menuitem", { name: "Take a photo" }).tap();
    await choosing;
    const camera = page.getByLabel("Take a photo").and(page.locator("input"));
    await expect(camera).toHaveAttribute("capture", "environment");
    await expect(camera).toHaveAttribute("accept", "image/*");
    await camera.setInputFiles(picture);
    await expect(attached(page).getByRole("button", { name: /^Open / })).toBeEnabled();
  });
});

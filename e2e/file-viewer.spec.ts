import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { answered, composer, questions, say } from "./support/conversation";
import { test } from "./support/test";

const document = (name: string) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: readFileSync(fileURLToPath(new URL(`../lib/files/fixtures/${name}`, import.meta.url))),
});
const leaf = {
  name: "leaf.png",
  mimeType: "image/png",
  buffer: readFileSync(fileURLToPath(new URL("fixtures/files/leaf.png", import.meta.url))),
};

const icon = {
  name: "icon.png",
  mimeType: "image/png",
  buffer: readFileSync(fileURLToPath(new URL("../public/icon-512.png", import.meta.url))),
};

const attached = (page: Page) => page.getByRole("list", { name: "Attached files" });

async function attach(
  page: Page,
  files: Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0],
) {
  await expect(page.getByRole("button", { name: /^Model:/ })).toBeVisible();
  await page.getByLabel("Attach files").and(page.locator("input")).setInputFiles(files);
}

test("a PDF is read page by page, and a search in it opens the page", async ({ page }) => {
  await page.goto("/");
  await attach(page, document("report.pdf"));
  await expect(attached(page)).toContainText(/KB · 2 pages · ~\d+ tokens/);
  await say(page, "How much fruit was there?");
  await page.waitForURL(/\/s\//);
  await answered(page);
  await questions(page).getByRole("button", { name: "Open report.pdf" }).click();
  const viewer = page.getByRole("dialog", { name: "report.pdf" });
  await expect(viewer.getByRole("region", { name: "Page 1" })).toContainText("412 kilograms");
  await expect(viewer.getByRole("link", { name: "Open in new tab" })).toBeVisible();
  await expectAccessible(page, "the viewer of a PDF");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").last().fill("medlar");
  const hit = page.getByRole("option", { name: /report\.pdf/ });
  await expect(hit).toContainText("Page 2");
  await hit.click();
  await expect(viewer.getByRole("region", { name: "Page 2" })).toContainText("37 kilograms");
  await expect(viewer.getByRole("region", { name: "Page 1" })).toBeHidden();
  await viewer.getByRole("button", { name: "Show earlier pages" }).click();
  await expect(viewer.getByRole("region", { name: "Page 1" })).toBeVisible();
});

test("an image has its place in a chat before it has come", { tag: "@essential" }, async ({
  page,
}) => {
  await page.goto("/");
  await attach(page, icon);
  await say(page, "What is this?");
  await page.waitForURL(/\/s\//);
  await answered(page);
  const shown = questions(page).getByRole("img");
  const heightOf = async () => Math.round((await shown.boundingBox())?.height ?? 0);
  await expect.poll(heightOf).toBeGreaterThan(200);
  const height = await heightOf();
  const come = Promise.withResolvers<void>();
  await page.route(/\/api\/files\/[0-9a-f]{64}/, async (route) => {
    await come.promise;
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  await expect.poll(heightOf).toBe(height);
  come.resolve();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.complete)).toBe(true);
  await expect.poll(heightOf).toBe(height);
});

test("an image gets a description, which stays with it", async ({ page }) => {
  await page.goto("/");
  await attach(page, leaf);
  await attached(page).getByRole("button", { name: "Open leaf.png" }).click();
  const viewer = page.getByRole("dialog", { name: "leaf.png" });
  await viewer.getByRole("textbox", { name: "Description" }).fill("An oak leaf");
  await expectAccessible(page, "the viewer of an image");
  await page.keyboard.press("Escape");
  await say(page, "Which tree is this?");
  await page.waitForURL(/\/s\//);
  await answered(page);
  await expect(questions(page).getByRole("img", { name: "An oak leaf" })).toBeVisible();
  await questions(page).getByRole("button", { name: "Open An oak leaf" }).click();
  await expect(viewer.getByText("An oak leaf", { exact: true })).toBeVisible();
});

test("files that cannot be read say so beside them, and can still be sent", async ({ page }) => {
  await page.goto("/");
  await composer(page).fill("Typed before");
  await attach(page, [
    document("encrypted.pdf"),
    { ...document("report.pdf"), name: "broken.pdf", buffer: Buffer.from("%PDF-1.7\nno more") },
    leaf,
  ]);
  await expect(attached(page).getByRole("alert")).toHaveText([
    /protected by a password/,
    /damaged/,
  ]);
  await attach(page, leaf);
  await expect(attached(page).getByRole("listitem").last()).toContainText("attached already");
  await expect(composer(page)).toHaveValue("Typed before");
  await expectAccessible(page, "attached files with problems");
  await attached(page).getByRole("button", { name: "Remove leaf.png" }).last().click();
  await composer(page).press("Enter");
  await page.waitForURL(/\/s\//);
  await answered(page);
  await expect(questions(page)).toContainText("Typed before");
  await expect(questions(page)).toContainText("encrypted.pdf");
});

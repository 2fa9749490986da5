import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { expect } from "@playwright/test";
import { answerAgain, answered, answers, converse, leafOf } from "./support/conversation";
import { test } from "./support/test";

test("a chat that I save as a web page opens from the disk, and I walk its branches there", async ({
  page,
  browser,
}, testInfo) => {
  await converse(page, "How does a page of the birch look?");
  const first = leafOf(page);
  await answerAgain(answers(page));
  await answered(page);
  expect(leafOf(page)).not.toBe(first);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Save as web page" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as web page" });
  const preview = dialog.frameLocator("iframe");
  await expect(preview.getByRole("article")).toHaveCount(2);
  await dialog.getByRole("switch", { name: "All branches" }).click();
  await expect(preview.getByRole("navigation")).toHaveText("‹ 2/2 ›");
  await preview.getByRole("link", { name: "Previous version" }).click();
  await expect(preview.getByRole("navigation")).toHaveText("‹ 1/2 ›");
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save" }).click();
  const path = testInfo.outputPath("saved.html");
  await (await downloading).saveAs(path);
  expect((await stat(path)).size).toBeLessThan(100_000);

  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const saved = await context.newPage();
  const requested: string[] = [];
  saved.on("request", (request) => requested.push(request.url()));
  const address = pathToFileURL(path).href;
  await saved.goto(address);
  const shown = saved.getByRole("navigation");
  await expect(shown).toHaveText("‹ 2/2 ›");
  await shown.getByRole("link", { name: "Previous version" }).click();
  await expect(shown).toHaveText("‹ 1/2 ›");
  await expect(saved.getByRole("article")).toHaveCount(2);
  await saved.goBack();
  await expect(shown).toHaveText("‹ 2/2 ›");
  await saved.getByText("Branches").click();
  await saved.getByRole("listitem").getByRole("link").last().click();
  await expect(shown).toHaveText("‹ 1/2 ›");
  expect(requested.filter((url) => !url.startsWith(address))).toEqual([]);
  await context.close();
});

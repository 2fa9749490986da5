import { expect, type Locator, type Page } from "@playwright/test";
import { startToolServer, type ToolServer } from "@/lib/chat/mcp-client/testing/tool-server";
import { expectAccessible } from "./support/accessible";
import { answers } from "./support/conversation";
import { askFirst } from "./support/session-page";
import { test } from "./support/test";

let station: ToolServer;

test.beforeEach(async ({ page }) => {
  station = await startToolServer();
  await page.goto("/settings?section=tools");
  await page.getByRole("button", { name: "Add server" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a server" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Station");
  await dialog.getByRole("textbox", { name: "Address" }).fill(station.url);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(choiceOf(page).getByRole("radio", { name: "Ask first" })).toBeChecked();
});

test.afterEach(() => station.close());

test.describe("A tool that asks first", () => {
  test("shows what it would be given, waits through a reload, and is called when I approve", async ({
    page,
  }) => {
    const answer = await askFirst(page, "Call weather with Rome");
    await expect(cardIn(answer)).toContainText("Rome");
    await expectAccessible(page, "a call that waits");
    await page.reload();
    await expect(cardIn(answer)).toContainText("May the model call Weather on Station?");
    expect(station.calls).toEqual([]);

    await cardIn(answer).getByRole("button", { name: "Approve", exact: true }).click();
    await expect(answer).toContainText("answered: Sunny in Rome");
    await expect(answer).toContainText("Weather on Station");
    await expect(answers(page)).toHaveCount(1);
    expect(station.calls).toEqual([{ city: "Rome" }]);
  });

  test("says in an open tab that a day has passed since it asked", async ({ page }) => {
    await page.clock.install();
    const answer = await askFirst(page, "Call weather with Rome");
    await expect(cardIn(answer)).toBeVisible();
    await expect(cardIn(answer)).not.toContainText("More than a day has passed");
    await page.clock.fastForward("25:00:00");
    await expect(cardIn(answer)).toContainText("More than a day has passed");
  });

  test("is decided once in two tabs, and both show how it goes on", async ({ page, context }) => {
    const answer = await askFirst(page, "Call weather with Rome");
    await expect(cardIn(answer)).toBeVisible();
    const other = await context.newPage();
    await other.goto(page.url());
    const same = answers(other).first();
    await expect(cardIn(same)).toBeVisible();
    await cardIn(same).getByRole("button", { name: "Approve", exact: true }).click();
    await expect(same).toContainText("answered: Sunny in Rome");
    await expect(answer).toContainText("answered: Sunny in Rome");
    await expect(cardIn(answer)).toHaveCount(0);
    expect(station.calls).toEqual([{ city: "Rome" }]);
  });
});

function cardIn(answer: Locator): Locator {
  return answer.getByRole("region", { name: "Permission to call Weather on Station" });
}

function choiceOf(page: Page): Locator {
  return page.getByRole("radiogroup", { name: "Weather" });
}

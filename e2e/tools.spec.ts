import { expect, type Locator, type Page } from "@playwright/test";
import { startToolServer, type ToolServer } from "@/lib/chat/mcp-client/testing/tool-server";
import { expectAccessible } from "./support/accessible";
import { answers } from "./support/conversation";
import { ask, askFirst } from "./support/session-page";
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
    await expect(answer).toContainText("Called Weather on Station");
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

  test("is called with what I changed", async ({ page }) => {
    const answer = await askFirst(page, "Call weather with Rome");
    await cardIn(answer).getByRole("button", { name: "Edit" }).click();
    await cardIn(answer).getByRole("textbox", { name: "Input" }).fill('{ "city": "Oslo" }');
    await cardIn(answer).getByRole("button", { name: "Approve with changes" }).click();
    await expect(answer).toContainText("answered: Sunny in Oslo");
    expect(station.calls).toEqual([{ city: "Oslo" }]);
  });

  test("is not called when I deny it, and says why", async ({ page }) => {
    const answer = await askFirst(page, "Call weather with Rome");
    await cardIn(answer).getByRole("button", { name: "Deny" }).click();
    await cardIn(answer).getByRole("textbox", { name: "Reason" }).fill("Not today");
    await cardIn(answer).getByRole("button", { name: "Deny" }).click();
    await expect(answer).toContainText("Did not call Weather on Station");
    await answer.getByText("Did not call").click();
    await expect(answer).toContainText("Not today");
    expect(station.calls).toEqual([]);
  });

  test("asks no more in a chat that I approved it for", async ({ page }) => {
    const answer = await askFirst(page, "Call weather with Rome");
    await cardIn(answer).getByRole("button", { name: "Approve for this chat" }).click();
    await expect(answer).toContainText("answered: Sunny in Rome");
    const second = await ask(page, "Call weather with Bonn");
    await expect(second).toContainText("answered: Sunny in Bonn");
    const elsewhere = await askFirst(page, "Call weather with Oslo");
    await expect(cardIn(elsewhere)).toBeVisible();
    expect(station.calls).toEqual([{ city: "Rome" }, { city: "Bonn" }]);
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

test("A tool that is off is not offered", async ({ page }) => {
  await choiceOf(page).getByRole("radio", { name: "Off" }).click();
  await expect(choiceOf(page).getByRole("radio", { name: "Off" })).toBeChecked();
  await expectAccessible(page, "the tools of a server");
  const answer = await askFirst(page, "Call weather with Rome");
  await expect(answer).toContainText("There is no tool here that could do this");
  expect(station.calls).toEqual([]);
});

function cardIn(answer: Locator): Locator {
  return answer.getByRole("region", { name: "Permission to call Weather on Station" });
}

function choiceOf(page: Page): Locator {
  return page.getByRole("radiogroup", { name: "Weather" });
}

import { describe, expect } from "vitest";
import { startToolServer, type ToolServer } from "@/lib/chat/mcp-client/testing/tool-server";
import { expectAccessible } from "./testing/accessible";
import type { Locator } from "./testing/locator";
import { ask, askFirst } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

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

describe("A tool that asks first", () => {
  test("is called with what I changed", async ({ page }) => {
    const answer = await askFirst(page, "Call weather with Rome");
    await cardIn(answer).getByRole("button", { name: "Edit" }).click();
    await cardIn(answer).getByRole("textbox", { name: "Input" }).fill('{ "city": "Oslo" }');
    await cardIn(answer).getByRole("button", { name: "Approve with changes" }).click();
    await expect(answer).toContainText("answered: Sunny in Oslo");
    expect(station.calls).toEqual([{ city: "Oslo" }]);
  });

  test("is not called when I deny it, and says why", { tags: "long" }, async ({ page }) => {
    const answer = await askFirst(page, "Call weather with Rome");
    await cardIn(answer).getByRole("button", { name: "Deny" }).click();
    await cardIn(answer).getByRole("textbox", { name: "Reason" }).fill("Not today");
    await cardIn(answer).getByRole("button", { name: "Deny" }).click();
    await expect(answer).toContainText("Did not call Weather on Station");
    await answer.getByText("Did not call").click();
    await expect(answer).toContainText("Not today");
    expect(station.calls).toEqual([]);
  });

  test("asks no more in a chat that I approved it for", { tags: "long" }, async ({ page }) => {
    const answer = await askFirst(page, "Call weather with Rome");
    await cardIn(answer).getByRole("button", { name: "Approve for this chat" }).click();
    await expect(answer).toContainText("answered: Sunny in Rome");
    const second = await ask(page, "Call weather with Bonn");
    await expect(second).toContainText("answered: Sunny in Bonn");
    const elsewhere = await askFirst(page, "Call weather with Oslo");
    await expect(cardIn(elsewhere)).toBeVisible();
    expect(station.calls).toEqual([{ city: "Rome" }, { city: "Bonn" }]);
  });
});

test("A tool that is off is not offered", { tags: "long" }, async ({ page }) => {
  await expect(page.getByText(/^1 tool, about \d+ tokens$/)).toBeVisible();
  await choiceOf(page).getByRole("radio", { name: "Off" }).click();
  await expect(choiceOf(page).getByRole("radio", { name: "Off" })).toBeChecked();
  await expect(page.getByText(/^1 tool, about/)).toBeHidden();
  await expectAccessible(page, "the tools of a server");
  const answer = await askFirst(page, "Call weather with Rome");
  await expect(answer).toContainText("There is no tool here that could do this");
  expect(station.calls).toEqual([]);
});

function cardIn(answer: Locator): Locator {
  return answer.getByRole("region", { name: "Permission to call Weather on Station" });
}

function choiceOf(page: StoryPage): Locator {
  return page.getByRole("radiogroup", { name: "Weather" });
}

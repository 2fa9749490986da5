import { inputRequired } from "@modelcontextprotocol/server";
import { expect, type Locator, type Page } from "@playwright/test";
import { startToolServer, type ToolServer } from "@/lib/chat/mcp-client/testing/tool-server";
import { answers, say } from "./support/conversation";
import { test } from "./support/test";

const form = () =>
  inputRequired.elicit({
    message: "Which day should I look up?",
    requestedSchema: {
      type: "object",
      properties: {
        day: { type: "string", title: "Day", format: "date" },
        hours: { type: "integer", title: "Hours", minimum: 1, maximum: 24 },
        alerts: { type: "boolean", title: "With alerts" },
        password: { type: "string", title: "Station password" },
      },
      required: ["day"],
    },
  });
async function stationAsking(shown: Page, question: () => ReturnType<typeof form>) {
  const station = await startToolServer({ question });
  await shown.goto("/settings?section=tools");
  await shown.getByRole("button", { name: "Add server" }).click();
  const dialog = shown.getByRole("dialog", { name: "Add a server" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Station");
  await dialog.getByRole("textbox", { name: "Address" }).fill(station.url);
  await dialog.getByRole("button", { name: "Save" }).click();
  const choice = shown.getByRole("radiogroup", { name: "Weather" });
  await choice.getByRole("radio", { name: "On" }).click();
  await expect(choice.getByRole("radio", { name: "On" })).toBeChecked();
  return station;
}

test.describe("A server that asks me during a call", () => {
  let station: ToolServer;
  test.afterEach(() => station.close());

  test("gets no value when I decline", async ({ page: shown }) => {
    station = await stationAsking(shown, form);
    const answer = await begunAnswer(shown);
    await cardIn(answer).getByRole("button", { name: "Decline" }).click();
    await expect(answer).toContainText("answered: Sunny in Rome");
    expect(station.calls).toEqual([{ action: "decline" }]);
  });
});

function cardIn(answer: Locator): Locator {
  return answer.getByRole("region", { name: "Question from Station" });
}

/** Its call goes on while the person is asked. */
async function begunAnswer(shown: Page): Promise<Locator> {
  await shown.goto("/");
  await say(shown, "Call weather with Rome");
  return answers(shown).first();
}

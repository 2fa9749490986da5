import { inputRequired } from "@modelcontextprotocol/server";
import { describe, expect } from "vitest";
import { startToolServer, type ToolServer } from "@/lib/chat/mcp-client/testing/tool-server";
import { expectAccessible } from "./testing/accessible";
import { answers, say } from "./testing/conversation";
import type { Locator } from "./testing/locator";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

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
const page = () =>
  inputRequired.elicitUrl({
    message: "Confirm there first.",
    url: "https://pay.example/confirm?id=7",
  });

async function stationAsking(shown: StoryPage, question: () => ReturnType<typeof form>) {
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

describe("A server that asks me during a call", () => {
  let station: ToolServer;
  test.afterEach(() => station.close());

  test("shows a form that survives a reload, and gets what I send", async ({ page: shown }) => {
    station = await stationAsking(shown, form);
    const answer = await begunAnswer(shown);
    await expect(cardIn(answer)).toContainText("Which day should I look up?");
    await expect(cardIn(answer)).toContainText("Servers must not ask for these here.");
    await expectAccessible(shown, "a question of a server");
    await shown.reload();
    await cardIn(answer).getByRole("textbox", { name: "Hours" }).fill("25");
    await cardIn(answer).getByRole("button", { name: "Send" }).click();
    await expect(cardIn(answer)).toContainText("Fill this in, or decline.");
    await cardIn(answer).getByLabel("Day").fill("2026-03-31");
    await cardIn(answer).getByRole("button", { name: "Send" }).click();
    await expect(cardIn(answer)).toContainText("This must be at most 24.");
    await cardIn(answer).getByRole("textbox", { name: "Hours" }).fill("3");
    await cardIn(answer).getByRole("switch", { name: "With alerts" }).click();
    await cardIn(answer).getByRole("button", { name: "Send" }).click();
    await expect(answer).toContainText("answered: Sunny in Rome");
    await expect(cardIn(answer)).toHaveCount(0);
    const content = { day: "2026-03-31", hours: 3, alerts: true };
    expect(station.calls).toEqual([{ action: "accept", content }]);
  });

  test("shows a page with its host, which only I open", { tags: "long" }, async ({
    page: shown,
  }) => {
    station = await stationAsking(shown, page);
    const answer = await begunAnswer(shown);
    const link = cardIn(answer).getByRole("link", { name: "Open pay.example" });
    await expect(link).toHaveAttribute("href", "https://pay.example/confirm?id=7");
    await expect(link).toHaveAttribute("rel", /noopener noreferrer/);
    await cardIn(answer).getByRole("button", { name: "Cancel" }).click();
    await expect(answer).toContainText("answered: Sunny in Rome");
    expect(station.calls).toEqual([{ action: "cancel" }]);
  });
});

function cardIn(answer: Locator): Locator {
  return answer.getByRole("region", { name: "Question from Station" });
}

/** Its call goes on while the person is asked. */
async function begunAnswer(shown: StoryPage): Promise<Locator> {
  await shown.goto("/");
  await say(shown, "Call weather with Rome");
  return answers(shown).first();
}

import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { expectAccessible } from "./testing/accessible";
import { readTranscript } from "./testing/api";
import { answers, composer } from "./testing/conversation";
import { ask, openDrawer, openReceipt } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import type { StoryRequest } from "./testing/test";
import { test } from "./testing/test";

const sizes = "20,000 of 312,450 characters";

/** Imports a session in which a tool has fetched a page of 312,450 characters; gives its id. */
async function importLargeOutput(request: StoryRequest): Promise<string> {
  const [id, questionId, answerId] = [randomUUID(), randomUUID(), randomUUID()];
  const at = new Date().toISOString();
  const message = (
    role: string,
    fields: { id: string; parentId: string | null },
    parts: object[],
  ) => ({
    type: "message",
    role,
    ...fields,
    createdAt: at,
    pinned: false,
    label: null,
    content: { parts },
  });
  const fetched = {
    type: "dynamic-tool",
    toolName: "fetch_page",
    toolCallId: "fetch-1",
    state: "output-available",
    input: { url: "https://example.org" },
    output: "y".repeat(312_450),
  };
  const records = [
    { type: "grove-export", format: 1, exportedAt: at, version: "0" },
    {
      type: "session",
      id,
      title: "A fetched page",
      model: null,
      source: null,
      tags: [],
      metadata: {},
      parentSessionId: null,
      forkedAtMessageId: null,
      inputTokens: 0,
      outputTokens: 0,
      cost: 0,
      frozenPrompt: null,
      pinnedAt: null,
      archivedAt: null,
      createdAt: at,
      updatedAt: at,
      activeLeafId: answerId,
      leafIds: [answerId],
    },
    message("user", { id: questionId, parentId: null }, [{ type: "text", text: "Fetch the page" }]),
    message("assistant", { id: answerId, parentId: questionId }, [
      fetched,
      { type: "text", text: "This is the page." },
    ]),
    { type: "session-end", id, messages: 2 },
    { type: "end", sessions: 1 },
  ];
  const response = await request.post("/api/import", {
    headers: { "content-type": "application/x-ndjson" },
    data: records.map((record) => JSON.stringify(record)).join("\n"),
  });
  expect(await response.json()).toMatchObject({ sessions: { imported: 1 } });
  return id;
}

/** Opens a session whose first answer has a tool output too large for the model. */
async function openLargeOutput(page: StoryPage, request: StoryRequest) {
  const sessionId = await importLargeOutput(request);
  await page.goto(`/s/${sessionId}`);
  await expect(answers(page)).toHaveCount(1);
  return { sessionId, answer: answers(page).first() };
}

async function receiptOf(request: StoryRequest, sessionId: string): Promise<ReceiptWire> {
  const { leafId } = await readTranscript(request, sessionId);
  const answer = await request.get(`/api/sessions/${sessionId}/messages/${leafId}/receipt`);
  return answer.json();
}

test("a tool output too large for the model says so, and I have it sent in full", {
  tags: "long",
}, async ({ page, request }) => {
  const { sessionId, answer } = await openLargeOutput(page, request);
  await expect(answer).toContainText(`Shortened for the model: ${sizes}`);
  await expectAccessible(page, "a shortened output");
  const context = await openDrawer(page, "Context");
  await expect(context).toContainText(`1 shortened, ${sizes}`);
  await page.keyboard.press("Escape");

  await answer.getByRole("button", { name: "Send in full" }).click();
  await expect(answer).toContainText("Sent to the model in full: 312,450 characters");
  await page.reload();
  await expect(answer).toContainText("Sent to the model in full: 312,450 characters");
  await answer.getByRole("button", { name: "Shorten again" }).click();
  await expect(answer).toContainText(`Shortened for the model: ${sizes}`);
  await expect(context).toContainText(`1 shortened, ${sizes}`);

  // In full the output was over the window, which held messages back.
  await expect(notice(page)).toBeHidden();
  const next = await ask(page, "Which tree grows beside it?");
  const receipt = await openReceipt(page, next);
  await expect(receipt).toContainText(`Output of fetch page shortened: ${sizes}`);
  const { messages } = await receiptOf(request, sessionId);
  expect(messages.flatMap(({ shortened }) => shortened ?? [])).toHaveLength(1);
});

/** A text of about `tokens` tokens for the demo model, whose window holds 8,000. */
const textOf = (tokens: number) => "birch ".repeat(Math.ceil(tokens / 1.5));

const notice = (page: StoryPage) => page.getByRole("region", { name: "Too long for this model" });

test("the first message of a chat is measured, too", async ({ page }) => {
  await page.goto("/");
  await composer(page).fill(textOf(20_000));
  await expect(notice(page)).toContainText("of 8,000 tokens");
  await composer(page).fill("A short one");
  await expect(notice(page)).toBeHidden();
});

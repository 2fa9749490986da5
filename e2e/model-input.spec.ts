import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { makeSession, readTranscript } from "./support/api";
import {
  answerAgain,
  answered,
  answers,
  composer,
  converse,
  isLive,
  questions,
  versions,
} from "./support/conversation";
import { test } from "./support/test";

/** Imports a session in which a tool has fetched a page of 312,450 characters; gives its id. */
async function importLargeOutput(request: APIRequestContext): Promise<string> {
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
async function openLargeOutput(page: Page, request: APIRequestContext) {
  const sessionId = await importLargeOutput(request);
  await page.goto(`/s/${sessionId}`);
  await isLive(page);
  return { sessionId, answer: answers(page).first() };
}

/** Keeps the page from reading sizes until the returned function is called. */
async function holdContext(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/context(\?|$)/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test("a message I send while its size is read again goes out when it fits", async ({
  page,
  request,
}) => {
  const { answer } = await openLargeOutput(page, request);
  await answer.getByRole("button", { name: "Send in full" }).click();
  await composer(page).fill("Which tree grows beside it?");
  await expect(notice(page)).toContainText("Too long for");

  const release = await holdContext(page);
  await answer.getByRole("button", { name: "Shorten again" }).click();
  await composer(page).press("Enter");
  await expect(notice(page)).toContainText("Checking again");
  await expect(answers(page)).toHaveCount(1);
  release();
  await expect(answers(page)).toHaveCount(2);
  await expect(composer(page)).toHaveValue("");
});

test("a message held back on one branch is not sent on another", async ({ page, request }) => {
  const { answer } = await openLargeOutput(page, request);
  await answerAgain(answer);
  const switcher = versions(answer);
  await expect(switcher).toHaveText("2 / 2");
  await answered(page);
  await switcher.getByRole("button", { name: "Previous version" }).click();
  await expect(switcher).toHaveText("1 / 2");
  await answer.getByRole("button", { name: "Send in full" }).click();
  await composer(page).fill("Which tree grows beside it?");
  await expect(notice(page)).toContainText(/Send anyway|Summarize and send/);

  const release = await holdContext(page);
  await answer.getByRole("button", { name: "Shorten again" }).click();
  await composer(page).press("Enter");
  await expect(notice(page)).toContainText("Checking again");
  await switcher.getByRole("button", { name: "Next version" }).click();
  await expect(switcher).toHaveText("2 / 2");
  release();
  await expect(notice(page)).toBeHidden();
  await expect(composer(page)).toHaveValue("Which tree grows beside it?");
  await expect(questions(page)).toHaveCount(1);
});

test("the focus stays at what I turn to while the size of my message is read again", async ({
  page,
  request,
}) => {
  const { answer } = await openLargeOutput(page, request);
  await composer(page).fill(textOf(9_500));
  await expect(notice(page)).toBeVisible();
  const release = await holdContext(page);
  await answer.getByRole("button", { name: "Send in full" }).click();
  await composer(page).press("Enter");
  await expect(notice(page)).toContainText("Checking again");
  const shorten = answer.getByRole("button", { name: "Shorten again" });
  await shorten.focus();
  release();
  await expect(notice(page)).not.toContainText("Checking again");
  await expect(shorten).toBeFocused();
});

test("when another tab makes room for my message, I go on writing it", async ({
  page,
  request,
}) => {
  const { sessionId } = await openLargeOutput(page, request);
  const { leafId } = await readTranscript(request, sessionId);
  const sendInFull = async (value: boolean) => {
    const response = await request.patch(`/api/sessions/${sessionId}/messages/${leafId}`, {
      data: { sendInFull: { toolCallId: "fetch-1", value } },
    });
    expect(response.ok()).toBe(true);
  };
  await sendInFull(true);
  await composer(page).fill("Which tree grows beside it?");
  await expect(notice(page)).toBeVisible();
  await composer(page).press("Enter");
  await expect(
    notice(page).getByRole("button", { name: /^(Send anyway|Summarize and send)$/ }),
  ).toBeFocused();
  await sendInFull(false);
  await expect(notice(page)).toBeHidden();
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue("Which tree grows beside it?");
});

/** A text of about `tokens` tokens for the demo model, whose window holds 8,000. */
const textOf = (tokens: number) => "birch ".repeat(Math.ceil(tokens / 1.5));

const notice = (page: Page) => page.getByRole("region", { name: "Too long for this model" });

test("a message too long for the model says so before it is sent, and nothing of it is cut", {
  tag: "@essential",
}, async ({ page, request }) => {
  const sessionId = await converse(page, "Is a birch a pioneer?");
  await composer(page).fill(textOf(9_500));
  await expect(notice(page)).toContainText(/about [\d,]+ of 8,000 tokens/);
  await expect(notice(page).getByRole("button", { name: "Summarize and send" })).toBeHidden();
  await expectAccessible(page, "a message over the window");

  await composer(page).press("Enter");
  const send = notice(page).getByRole("button", { name: "Send anyway" });
  await expect(send).toBeFocused();
  await expect(questions(page)).toHaveCount(1);
  await send.press("Enter");
  await expect(composer(page)).toHaveValue("");
  await expect(notice(page)).toBeHidden();
  await expect(answers(page).last().getByRole("alert")).toContainText(/too long|context window/i);
  const { entries } = await readTranscript(request, sessionId);
  const [sent] = entries.findLast(({ message }) => message.role === "user")?.message.parts ?? [];
  expect(sent).toMatchObject({ text: textOf(9_500) });
});

test("a message that is too long waits until its chat has been measured", async ({
  page,
  request,
}) => {
  const sessionId = await makeSession(request, "Not measured yet");
  const measured = Promise.withResolvers<void>();
  await page.route(/\/context(\?|$)/, async (route) => {
    await measured.promise;
    await route.continue();
  });
  await page.goto(`/s/${sessionId}`);
  await composer(page).fill(textOf(9_500));
  await composer(page).press("Enter");
  await expect(notice(page)).toContainText("Checking again");
  measured.resolve();
  await expect(notice(page).getByRole("button", { name: "Send anyway" })).toBeFocused();
  await expect(questions(page)).toHaveCount(0);
});

test("on a phone I see the message that is too long, and all I can do about it", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await converse(page, "Is a birch a pioneer?");
  await composer(page).fill(textOf(9_500));
  await expect(notice(page).getByRole("button", { name: "Send anyway" })).toBeInViewport({
    ratio: 1,
  });
  await expect(composer(page)).toBeInViewport();
  await expectAccessible(page, "a message over the window on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

import { describe, expect } from "vitest";
import {
  greeting,
  questions as modelQuestions,
  startModelServer,
} from "@/e2e/support/model-server";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { makeSession, offerProvider, readTranscript, store } from "./testing/api";
import { answered, questions, say } from "./testing/conversation";
import type { Locator } from "./testing/locator";
import { openContext } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import type { StoryRequest } from "./testing/test";
import { test } from "./testing/test";

describe("Compaction", () => {
  test("a summary says which model wrote it and what that cost", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const server = await startModelServer({ models: ["house-model"] });
    try {
      const price = { input: 3, output: 12 };
      await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model", price });
      await openStory(page, request, { chapters: 8, sentences: 5 });
      const seam = await compactNow(page);
      // 2,000 tokens in and 500 out, as the server says.
      await expect(seam).toContainText(/ → \d+ tokens · house-model · \$0\.012/);
    } finally {
      await server.stop();
    }
  });

  test("I have a summary rewritten with a focus", { tags: "long" }, async ({ page, request }) => {
    const sessionId = await openStory(page, request, { chapters: 6, sentences: 5 });
    const seam = await compactNow(page);
    const before = await summaryOf(request, sessionId);
    await chooseFor(page, seam, "Redo with focus");
    await seam.getByRole("textbox", { name: "What should the summary focus on?" }).fill("the owl");
    await seam.getByRole("button", { name: "Rewrite" }).click();
    await expect
      .poll(async () => (await summaryOf(request, sessionId))?.focus ?? null)
      .toBe("the owl");
    await expect(seam).toContainText("Messages 1–4 summarized");
    await expect.poll(async () => (await summaryOf(request, sessionId))?.id).not.toBe(before?.id);
  });

  test("a chat that fills the window is summarized automatically", { tags: "long" }, async ({
    page,
    request,
  }) => {
    const sessionId = await openStory(page, request, { chapters: 12, sentences: 42 });
    const context = await openContext(page);
    await expect(context.getByText(/^This chat is larger than the context window/)).toBeVisible();

    await say(page, "And how does it end?");
    const notice = page.getByRole("region", { name: "Too long for this model" });
    await expect(notice).toContainText("Older messages can be summarized");
    await notice.getByRole("button", { name: "Summarize and send" }).click();
    await answered(page);
    await expect.poll(() => shareInUse(page)).toBeLessThan(80);
    const { entries } = await readTranscript(request, sessionId);
    const seams = entries.flatMap((entry) => (entry.compaction ? [entry.compaction] : []));
    expect(seams).toHaveLength(1);
    // The beginning and the newest part stay word for word, and nothing is lost.
    expect(entries.length).toBeLessThan(10);
    expect(textOf(entries.at(0))).toContain("Chapter 1 of the story");
    expect(textOf(entries.at(-3))).toContain("Chapter 12 of the story");
    const originals = await readTranscript(request, sessionId, { overlays: "0" });
    expect(originals.entries).toHaveLength(14);

    await expect(page.getByRole("region", { name: "Messages 3–10 summarized" })).toBeVisible();
  });

  test("I see the summary that an answer waits for, and stopping it leaves me the answer", {
    tags: "long",
  }, async ({ page, request }) => {
    const sessionId = await openStory(page, request, { chapters: 12, sentences: 35, slowly: true });
    await page.getByRole("textbox", { name: "Message" }).fill("And how does it end?");
    await page.keyboard.press("Enter");
    await expect(
      page.getByText(/^Summarizing messages 3–\d+ first, to make room\.$/),
    ).toBeVisible();
    await seesWriting(page, "Summarizing messages 3–");
    await pendingSeam(page).getByRole("button", { name: "Stop" }).click();
    await expect(pendingSeam(page)).toBeHidden();
    await expect
      .poll(async () => (await readTranscript(request, sessionId)).entries.length, {
        timeout: 30_000,
      })
      .toBe(14);
    const { entries } = await readTranscript(request, sessionId);
    expect(entries.at(-1)?.message.metadata).toMatchObject({ status: "complete" });
  });

  test("a summary that fails before an answer says so, also after a reload, until I dismiss it", {
    tags: "long",
  }, async ({ page, request }) => {
    const server = await startModelServer({ models: ["house-model"], failsToSummarize: true });
    try {
      await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model" });
      await openStory(page, request, { chapters: 12, sentences: 150 });
      await page.getByRole("textbox", { name: "Message" }).fill(modelQuestions.greeting);
      await page.keyboard.press("Enter");
      await expect(page.getByText(greeting, { exact: true })).toBeVisible();
      const alert = pendingSeam(page).getByRole("alert");
      await expect(alert).toContainText("Nothing was summarized");
      await page.reload();
      await expect(alert).toContainText("Nothing was summarized");
      await pendingSeam(page).getByRole("button", { name: "Dismiss" }).click();
      await expect(pendingSeam(page)).toBeHidden();
      await page.reload();
      await expect(page.getByText(greeting, { exact: true })).toBeVisible();
      await expect(pendingSeam(page)).toBeHidden();
    } finally {
      await server.stop();
    }
  });

  test("a summary that fails replaces nothing", { tags: "long" }, async ({ page, request }) => {
    const server = await startModelServer({ models: ["house-model"], failsToSummarize: true });
    try {
      await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model" });
      const sessionId = await openStory(page, request, { chapters: 6, sentences: 5 });
      await startCompacting(page);
      const pending = page.getByRole("region", { name: "Writing summary" });
      // The provider is asked more than once before the summary is given up.
      await expect(pending.getByRole("alert")).toContainText("Nothing was summarized");
      await pending.getByRole("button", { name: "Dismiss" }).click();
      await expect(pending).toBeHidden();
      await expect(page.getByRole("region", { name: /summarized$/ })).toHaveCount(0);
      const { entries } = await readTranscript(request, sessionId);
      expect(entries.map(({ compaction }) => compaction)).toEqual(Array(6).fill(undefined));
    } finally {
      await server.stop();
    }
  });

  test("where there is nothing to fold, I am told so", async ({ page, request }) => {
    await openStory(page, request, { chapters: 1, sentences: 5 });
    const context = await openContext(page);
    await context.getByRole("button", { name: "Summarize" }).click();
    const dialog = page.getByRole("dialog", { name: "Summarize this chat" });
    await expect(dialog).toContainText("Nothing to summarize yet");
    await expect(dialog.getByRole("button", { name: "Summarize", exact: true })).toBeDisabled();
  });
});

/** A session of messages without answers, open in the page; a sentence is about 17 tokens. */
async function openStory(
  page: StoryPage,
  request: StoryRequest,
  {
    chapters,
    sentences,
    slowly = false,
  }: { chapters: number; sentences: number; slowly?: boolean },
): Promise<string> {
  const sessionId = await makeSession(request, "A long story");
  for (let chapter = 1; chapter <= chapters; chapter++) {
    const sentence = `The owl of chapter ${chapter} looked over the valley and said nothing. `;
    const text = `Chapter ${chapter} of the story. ${sentence.repeat(sentences)}${slowly ? "Take your time." : ""}`;
    await store(request, sessionId, text);
  }
  await page.goto(`/s/${sessionId}`);
  await expect(questions(page).last()).toContainText(`Chapter ${chapters} of the story`);
  return sessionId;
}

function pendingSeam(page: StoryPage): Locator {
  return page.getByRole("region", { name: "Writing summary" });
}

async function seesWriting(page: StoryPage, title = "Summarizing messages 1–6 …"): Promise<void> {
  await expect(pendingSeam(page)).toContainText(title);
  await expect(pendingSeam(page).getByRole("region", { name: "The summary so far" })).toContainText(
    "Topic",
  );
}

/** Compacts from the drawer; gives the seam. */
async function compactNow(page: StoryPage): Promise<Locator> {
  const dialog = await startCompacting(page);
  await expect(dialog).toBeHidden();
  const seam = page.getByRole("region", { name: /summarized$/ });
  await expect(seam).toBeVisible();
  return seam;
}

/** Reads what would fold and says go; gives the dialog, which closes when the summary is there. */
async function startCompacting(page: StoryPage): Promise<Locator> {
  const dialog = await openCompacting(page);
  await dialog.getByRole("button", { name: "Summarize", exact: true }).click();
  return dialog;
}

/** The dialog that says what would fold. */
async function openCompacting(page: StoryPage): Promise<Locator> {
  const context = await openContext(page);
  await context.getByRole("button", { name: "Summarize" }).click();
  const dialog = page.getByRole("dialog", { name: "Summarize this chat" });
  await expect(dialog.getByText(/^\d+ messages · [\d,]+ tokens$/)).toHaveCount(2);
  return dialog;
}

async function chooseFor(page: StoryPage, seam: Locator, action: string): Promise<void> {
  await seam.getByRole("button", { name: "Summary actions" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function summaryOf(request: StoryRequest, sessionId: string) {
  const { entries } = await readTranscript(request, sessionId);
  return entries.find((entry) => entry.compaction)?.compaction ?? null;
}

function textOf(entry: EntryWire | undefined): string {
  return JSON.stringify(entry?.message.parts ?? []);
}

async function shareInUse(page: StoryPage): Promise<number> {
  const context = page.getByRole("tabpanel", { name: "Context" });
  return Number.parseInt(
    await context
      .getByText(/^\d+%$/)
      .first()
      .innerText(),
    10,
  );
}

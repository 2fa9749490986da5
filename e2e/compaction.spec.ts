import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { makeSession, offerProvider, readTranscript, store } from "./support/api";
import { answered, questions, say } from "./support/conversation";
import { greeting, questions as modelQuestions, startModelServer } from "./support/model-server";
import { openDrawer } from "./support/session-page";
import { test } from "./support/test";

test.describe("Compaction", () => {
  test("I fold a conversation, read the summary and look behind it", async ({ page, request }) => {
    await openStory(page, request, { chapters: 8, sentences: 5 });
    const dialog = await openCompacting(page);
    const folds = await dialog.getByText(/^6 messages · [\d,]+ tokens$/).innerText();
    await dialog.getByRole("button", { name: "Compact", exact: true }).click();
    const seam = page.getByRole("region", { name: /summarized$/ });
    await expect(seam).toContainText(/Messages 1–6 summarized/);
    const tokens = /[\d,]+(?= tokens)/.exec(folds)?.[0];
    await expect(seam).toContainText(
      new RegExp(`${tokens} → \\d+ tokens · Demo \\(scripted, no AI\\) · \\$0`),
    );
    await expect(questions(page)).toHaveCount(2);

    await seam.getByRole("button", { name: "View", exact: true }).click();
    await expect(seam.getByRole("heading", { name: "Key Points" })).toBeVisible();

    await seam.getByRole("button", { name: "Show originals" }).click();
    const originals = seam.getByRole("region", { name: "Original messages" });
    await expect(originals.getByRole("article")).toHaveCount(6);
    await expect(originals).toContainText("Chapter 1 of the story");
    await expect(originals).toContainText("Chapter 6 of the story");
    await seam.getByRole("button", { name: "Hide originals" }).click();
    await expect(originals).toBeHidden();
  });

  test("a summary says which model wrote it and what that cost", async ({ page, request }) => {
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

  test("I watch a summary being written, and stopping it changes nothing", async ({
    page,
    request,
  }) => {
    const sessionId = await openStory(page, request, { chapters: 8, sentences: 5, slowly: true });
    await startCompacting(page);
    const pending = page.getByRole("region", { name: "Writing summary" });
    await expect(pending).toBeInViewport();
    await expect(pending.getByRole("region", { name: "The summary so far" })).toContainText(
      "Topic",
    );
    await pending.getByRole("button", { name: "Stop" }).click();
    await expect(pending).toBeHidden();
    const { entries } = await readTranscript(request, sessionId);
    expect(entries.map(({ compaction }) => compaction)).toEqual(Array(8).fill(undefined));
    await expect(page.getByRole("region", { name: /summarized$/ })).toHaveCount(0);
  });

  test("I see a summary being written in every tab and after a reload, and stop it from another one", async ({
    page,
    request,
    context,
  }) => {
    const sessionId = await openStory(page, request, { chapters: 8, sentences: 5, slowly: true });
    const other = await context.newPage();
    await other.goto(`/s/${sessionId}`);
    await expect(questions(other).last()).toContainText("Chapter 8 of the story");
    await startCompacting(page);
    for (const each of [page, other]) await seesWriting(each);
    await page.reload();
    await seesWriting(page);
    await pendingSeam(other).getByRole("button", { name: "Stop" }).click();
    for (const each of [page, other]) await expect(pendingSeam(each)).toBeHidden();
    const { entries } = await readTranscript(request, sessionId);
    expect(entries.map(({ compaction }) => compaction)).toEqual(Array(8).fill(undefined));
  });

  test("a summary that I asked for elsewhere takes its place here too", async ({
    page,
    request,
    context,
  }) => {
    const sessionId = await openStory(page, request, { chapters: 8, sentences: 5 });
    const other = await context.newPage();
    await other.goto(`/s/${sessionId}`);
    await compactNow(page);
    await expect(page.getByText("6 messages summarized.")).toBeVisible();
    await expect(other.getByRole("region", { name: "Messages 1–6 summarized" })).toBeVisible();
    await expect(pendingSeam(other)).toBeHidden();
    await expect(other.getByText("6 messages summarized.")).toBeHidden();
  });

  test("I correct a summary, undo it, and take the undo back", async ({ page, request }) => {
    await openStory(page, request, { chapters: 6, sentences: 5 });
    const seam = await compactNow(page);
    await chooseFor(page, seam, "Edit summary");
    await seam.getByRole("textbox", { name: "Summary text" }).fill("Only the owl matters.");
    await seam.getByRole("button", { name: "Save" }).click();
    // Its text is in the field, too; only the answer of the server closes that.
    await expect(seam.getByRole("textbox", { name: "Summary text" })).toBeHidden();
    await expect(seam.getByText("Only the owl matters.")).toBeVisible();
    await page.reload();
    await seam.getByRole("button", { name: "View", exact: true }).click();
    await expect(seam.getByText("Only the owl matters.")).toBeVisible();

    await chooseFor(page, seam, "Undo");
    await expect(seam).toBeHidden();
    await expect(questions(page)).toHaveCount(6);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(seam).toBeVisible();
    await expect(questions(page)).toHaveCount(2);
  });

  test("I have a summary rewritten with a focus", async ({ page, request }) => {
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

  test("a chat that fills the window is summarized automatically", async ({ page, request }) => {
    const sessionId = await openStory(page, request, { chapters: 12, sentences: 42 });
    const context = await openDrawer(page, "Context");
    await expect(context.getByText(/^The context window is almost full/)).toBeVisible();

    await say(page, "And how does it end?");
    const notice = page.getByRole("region", { name: "Too long for this model" });
    await expect(notice).toContainText("nothing is cut, and older messages are summarized first");
    await notice.getByRole("button", { name: "Send anyway" }).click();
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

    // The list keeps only what is in view on the page.
    await page.setViewportSize({ width: 1280, height: 6_000 });
    await expect(page.getByRole("region", { name: "Messages 3–10 summarized" })).toBeVisible();
  });

  test("I see the summary that an answer waits for, and stopping it leaves me the answer", async ({
    page,
    request,
  }) => {
    const sessionId = await openStory(page, request, { chapters: 12, sentences: 35, slowly: true });
    // The list keeps only what is in view on the page.
    await page.setViewportSize({ width: 1280, height: 6_000 });
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

  test("a summary that fails before an answer says so, also after a reload, until I dismiss it", async ({
    page,
    request,
  }) => {
    const server = await startModelServer({ models: ["house-model"], failsToSummarize: true });
    try {
      await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model" });
      await openStory(page, request, { chapters: 12, sentences: 150 });
      await page.setViewportSize({ width: 1280, height: 30_000 });
      await page.getByRole("textbox", { name: "Message" }).fill(modelQuestions.greeting);
      await page.keyboard.press("Enter");
      await expect(page.getByText(greeting, { exact: true })).toBeVisible({ timeout: 30_000 });
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

  test("a summary that fails replaces nothing", async ({ page, request }) => {
    const server = await startModelServer({ models: ["house-model"], failsToSummarize: true });
    try {
      await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model" });
      const sessionId = await openStory(page, request, { chapters: 6, sentences: 5 });
      await startCompacting(page);
      const pending = page.getByRole("region", { name: "Writing summary" });
      // The provider is asked more than once before the summary is given up.
      await expect(pending.getByRole("alert")).toContainText("Nothing was summarized", {
        timeout: 30_000,
      });
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
    const context = await openDrawer(page, "Context");
    await context.getByRole("button", { name: "Compact now" }).click();
    const dialog = page.getByRole("dialog", { name: "Compact this chat" });
    await expect(dialog).toContainText("Nothing to summarize yet");
    await expect(dialog.getByRole("button", { name: "Compact", exact: true })).toBeDisabled();
  });
});

/** A session of messages without answers, open in the page; a sentence is about 17 tokens. */
async function openStory(
  page: Page,
  request: APIRequestContext,
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

function pendingSeam(page: Page): Locator {
  return page.getByRole("region", { name: "Writing summary" });
}

async function seesWriting(page: Page, title = "Summarizing messages 1–6 …"): Promise<void> {
  await expect(pendingSeam(page)).toContainText(title);
  await expect(pendingSeam(page).getByRole("region", { name: "The summary so far" })).toContainText(
    "Topic",
  );
}

/** Compacts from the drawer; gives the seam. */
async function compactNow(page: Page): Promise<Locator> {
  const dialog = await startCompacting(page);
  await expect(dialog).toBeHidden();
  const seam = page.getByRole("region", { name: /summarized$/ });
  await expect(seam).toBeInViewport();
  return seam;
}

/** Reads what would fold and says go; gives the dialog, which closes when the summary is there. */
async function startCompacting(page: Page): Promise<Locator> {
  const dialog = await openCompacting(page);
  await dialog.getByRole("button", { name: "Compact", exact: true }).click();
  return dialog;
}

/** The dialog that says what would fold. */
async function openCompacting(page: Page): Promise<Locator> {
  const context = await openDrawer(page, "Context");
  await context.getByRole("button", { name: "Compact now" }).click();
  const dialog = page.getByRole("dialog", { name: "Compact this chat" });
  await expect(dialog.getByText(/^\d+ messages · [\d,]+ tokens$/)).toHaveCount(2);
  return dialog;
}

async function chooseFor(page: Page, seam: Locator, action: string): Promise<void> {
  await seam.getByRole("button", { name: "Summary actions" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function summaryOf(request: APIRequestContext, sessionId: string) {
  const { entries } = await readTranscript(request, sessionId);
  return entries.find((entry) => entry.compaction)?.compaction ?? null;
}

function textOf(entry: EntryWire | undefined): string {
  return JSON.stringify(entry?.message.parts ?? []);
}

async function shareInUse(page: Page): Promise<number> {
  const gauge = page.getByRole("button", { name: /^Context: / });
  return Number.parseInt(await gauge.innerText(), 10);
}

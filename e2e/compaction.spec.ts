import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { makeSession, readTranscript, store } from "./support/api";
import { questions } from "./support/conversation";
import { startModelServer } from "./support/model-server";
import { test } from "./support/own-grove";
import { ask, openDrawer } from "./support/session-page";
import { addProvider, chooseDefaultModel, removeProvider } from "./support/settings-page";

test.describe("Compaction", () => {
  test("I fold a conversation, read the summary and look behind it", async ({ page, request }) => {
    await openStory(page, request, { chapters: 8, sentences: 5 });
    const seam = await compactNow(page);
    await expect(seam).toContainText(/Messages 1–6 are this summary/);
    await expect(seam).toContainText(/[\d,]+ → [\d,]+ tokens/);
    await expect(questions(page)).toHaveCount(2);

    await seam.getByRole("button", { name: "Read", exact: true }).click();
    await expect(seam.getByRole("heading", { name: "Key Points" })).toBeVisible();

    await seam.getByRole("button", { name: "Show originals" }).click();
    const originals = seam.getByRole("region", { name: "Original messages" });
    await expect(originals.getByRole("article")).toHaveCount(6);
    await expect(originals).toContainText("Chapter 1 of the story");
    await expect(originals).toContainText("Chapter 6 of the story");
    await seam.getByRole("button", { name: "Hide originals" }).click();
    await expect(originals).toBeHidden();
  });

  test("I watch a summary being written, and stopping it changes nothing", async ({
    page,
    request,
  }) => {
    const sessionId = await openStory(page, request, { chapters: 8, sentences: 40 });
    await startCompacting(page);
    const pending = page.getByRole("region", { name: "Summary being written" });
    await expect(pending).toBeInViewport();
    await expect(pending.getByRole("region", { name: "The summary so far" })).toContainText(
      "Topic",
    );
    await pending.getByRole("button", { name: "Stop" }).click();
    await expect(pending).toBeHidden();
    const { entries } = await readTranscript(request, sessionId);
    expect(entries.map(({ compaction }) => compaction)).toEqual(Array(8).fill(undefined));
    await expect(page.getByRole("region", { name: /are this summary$/ })).toHaveCount(0);
  });

  test("I correct a summary, undo it, and take the undo back", async ({ page, request }) => {
    await openStory(page, request, { chapters: 6, sentences: 5 });
    const seam = await compactNow(page);
    await chooseFor(page, seam, "Edit the summary");
    await seam.getByRole("textbox", { name: "Text of the summary" }).fill("Only the owl matters.");
    await seam.getByRole("button", { name: "Save" }).click();
    await expect(seam.getByText("Only the owl matters.")).toBeVisible();
    await page.reload();
    await seam.getByRole("button", { name: "Read", exact: true }).click();
    await expect(seam.getByText("Only the owl matters.")).toBeVisible();

    await chooseFor(page, seam, "Undo");
    await expect(seam).toBeHidden();
    await expect(questions(page)).toHaveCount(6);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(seam).toBeVisible();
    await expect(questions(page)).toHaveCount(2);
  });

  test("I have a summary written anew with something to look after", async ({ page, request }) => {
    const sessionId = await openStory(page, request, { chapters: 6, sentences: 5 });
    const seam = await compactNow(page);
    const before = await summaryOf(request, sessionId);
    await chooseFor(page, seam, "Redo with focus");
    await seam
      .getByRole("textbox", { name: "What should the summary look after?" })
      .fill("the owl");
    await seam.getByRole("button", { name: "Write it anew" }).click();
    await expect
      .poll(async () => (await summaryOf(request, sessionId))?.focus ?? null)
      .toBe("the owl");
    await expect(seam).toContainText("Messages 1–4 are this summary");
    expect((await summaryOf(request, sessionId))?.id).not.toBe(before?.id);
  });

  test("a conversation that fills the window is folded by itself", async ({ page, request }) => {
    const sessionId = await openStory(page, request, { chapters: 12, sentences: 42 });
    const context = await openDrawer(page, "Context");
    await expect(context.getByText(/^The window is almost full/)).toBeVisible();

    await ask(page, "And how does it end?");
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
    await expect(
      page.getByRole("region", { name: "Messages 3–10 are this summary" }),
    ).toBeVisible();
  });

  test("a summary that fails replaces nothing", async ({ page, request }) => {
    const server = await startModelServer({ models: ["house-model"], failsToSummarize: true });
    try {
      await addProvider(page, {
        kind: "OpenAI-compatible",
        baseUrl: `${server.url}/v1`,
        key: "",
        name: "House",
      });
      await chooseDefaultModel(page, "house-model");
      const sessionId = await openStory(page, request, { chapters: 6, sentences: 5 });
      await startCompacting(page);
      const pending = page.getByRole("region", { name: "Summary being written" });
      // The provider is asked more than once before the summary is given up.
      await expect(pending.getByRole("alert")).toContainText("nothing was folded", {
        timeout: 30_000,
      });
      await pending.getByRole("button", { name: "Dismiss" }).click();
      await expect(pending).toBeHidden();
      await expect(page.getByRole("region", { name: /are this summary$/ })).toHaveCount(0);
      const { entries } = await readTranscript(request, sessionId);
      expect(entries.map(({ compaction }) => compaction)).toEqual(Array(6).fill(undefined));
    } finally {
      await page.goto("/settings?section=models");
      await removeProvider(page, "House");
      await server.stop();
    }
  });

  test("where there is nothing to fold, I am told so", async ({ page, request }) => {
    await openStory(page, request, { chapters: 1, sentences: 5 });
    const context = await openDrawer(page, "Context");
    await context.getByRole("button", { name: "Compact now" }).click();
    const dialog = page.getByRole("dialog", { name: "Compact this conversation" });
    await expect(dialog).toContainText("There is nothing to fold yet");
    await expect(dialog.getByRole("button", { name: "Compact", exact: true })).toBeDisabled();
  });
});

/** A session of messages without answers, open in the page; a sentence is about 17 tokens. */
async function openStory(
  page: Page,
  request: APIRequestContext,
  { chapters, sentences }: { chapters: number; sentences: number },
): Promise<string> {
  const sessionId = await makeSession(request, "A long story");
  for (let chapter = 1; chapter <= chapters; chapter++) {
    const sentence = `The owl of chapter ${chapter} looked over the valley and said nothing. `;
    const text = `Chapter ${chapter} of the story. ${sentence.repeat(sentences)}`;
    await store(request, sessionId, text);
  }
  await page.goto(`/s/${sessionId}`);
  await expect(questions(page).last()).toContainText(`Chapter ${chapters} of the story`);
  return sessionId;
}

/** Compacts from the drawer; gives the seam. */
async function compactNow(page: Page): Promise<Locator> {
  const dialog = await startCompacting(page);
  await expect(dialog).toBeHidden();
  const seam = page.getByRole("region", { name: /are this summary$/ });
  await expect(seam).toBeInViewport();
  return seam;
}

/** Reads what would fold and says go; gives the dialog, which closes when the summary is there. */
async function startCompacting(page: Page): Promise<Locator> {
  const context = await openDrawer(page, "Context");
  await context.getByRole("button", { name: "Compact now" }).click();
  const dialog = page.getByRole("dialog", { name: "Compact this conversation" });
  await expect(dialog.getByText(/^\d+ messages · [\d,]+ tokens$/)).toHaveCount(2);
  await dialog.getByRole("button", { name: "Compact", exact: true }).click();
  return dialog;
}

async function chooseFor(page: Page, seam: Locator, action: string): Promise<void> {
  await seam.getByRole("button", { name: "More about this summary" }).click();
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

import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { makeSession, readTranscript, store } from "./support/api";
import { questions } from "./support/conversation";
import { openContext } from "./support/session-page";
import { test } from "./support/test";

test.describe("Compaction", () => {
  test("I fold a conversation, read the summary and look behind it", { tag: "@essential" }, async ({
    page,
    request,
  }) => {
    await openStory(page, request, { chapters: 8, sentences: 5 });
    const dialog = await openCompacting(page);
    const folds = await dialog.getByText(/^6 messages · [\d,]+ tokens$/).innerText();
    await dialog.getByRole("button", { name: "Summarize", exact: true }).click();
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
    // A pointer on the toast above it would keep the toast there.
    await seam.getByRole("button", { name: "Hide originals" }).press("Enter");
    await expect(originals).toBeHidden();
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
  await dialog.getByRole("button", { name: "Summarize", exact: true }).click();
  return dialog;
}

/** The dialog that says what would fold. */
async function openCompacting(page: Page): Promise<Locator> {
  const context = await openContext(page);
  await context.getByRole("button", { name: "Summarize" }).click();
  const dialog = page.getByRole("dialog", { name: "Summarize this chat" });
  await expect(dialog.getByText(/^\d+ messages · [\d,]+ tokens$/)).toHaveCount(2);
  return dialog;
}

async function chooseFor(page: Page, seam: Locator, action: string): Promise<void> {
  await seam.getByRole("button", { name: "Summary actions" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

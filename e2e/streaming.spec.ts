import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { readTranscript, storedTexts } from "./support/api";
import {
  act,
  answered,
  answers,
  begin,
  converse,
  questions,
  rewrite,
  say,
} from "./support/conversation";
import { test } from "./support/test";

const stopButton = (page: Page) => page.getByRole("button", { name: "Stop writing" });

// Stories that look at an answer in the middle ask for one without an end, and stop it: however slow the machine is, it
// has not ended before they looked.

test("a reload in the middle of an answer shows all of it so far and goes on", {
  tag: "@essential",
}, async ({ page, request }) => {
  const sessionId = await begin(page, "Write an endless essay about the ash");
  const before = await hasWritten(answers(page), 600);
  await page.reload();
  const steps = await stepsUntil(page, before);
  // One step may show the first piece; typing it all again would be hundreds.
  expect(steps.length).toBeLessThanOrEqual(4);
  await expect(stopButton(page)).toBeVisible();
  await hasWritten(answers(page), before + 600);

  await stopButton(page).click();
  await expect(answers(page)).toContainText("Stopped");
  await showsWhatIsStored(answers(page), request, sessionId);
});

test("a reload that began before the address followed what I sent shows it", async ({ page }) => {
  await converse(page, "First");
  await rewrite(questions(page), "Another", "Send");
  await answered(page);
  const earlier = page.url();
  expect(earlier).toContain("?leaf=");
  await say(page, "Third");
  await answered(page);
  await expect(page).not.toHaveURL(earlier);
  await page.evaluate((address) => {
    // Past the router, which would follow it.
    History.prototype.replaceState.call(history, history.state, "", address);
    location.reload();
  }, earlier);
  await expect(questions(page).last()).toContainText("Third");
  await expect(answers(page)).toHaveCount(2);
  await expect(page).not.toHaveURL(earlier);
  await page.reload();
  await expect(questions(page).last()).toContainText("Third");
});

test("two tabs show the same answer while it is written", async ({ page, context, request }) => {
  const sessionId = await begin(page, "Write an endless essay about the birch");
  await hasWritten(answers(page), 100);
  const other = await context.newPage();
  await other.goto(page.url());
  const seen = await hasWritten(answers(other), 300);
  await hasWritten(answers(page), seen);
  await expect(stopButton(page)).toBeVisible();

  await stopButton(page).click();
  for (const tab of [page, other]) {
    await expect(answers(tab)).toContainText("Stopped");
    await showsWhatIsStored(answers(tab), request, sessionId);
  }
  await other.close();
});

test("I stop an answer; what was written is kept, marked, and goes on where it stopped", {
  tag: "@essential",
}, async ({ page, request }) => {
  const sessionId = await begin(page, "Write an endless essay about the cedar");
  await hasWritten(answers(page), 200);
  await stopButton(page).click();
  await expect(answers(page)).toContainText("Stopped");
  await expect(stopButton(page)).toBeHidden();

  const { entries } = await readTranscript(request, sessionId);
  expect(entries.at(-1)?.message.metadata?.status).toBe("stopped");
  await showsWhatIsStored(answers(page), request, sessionId);

  await page.reload();
  await expect(answers(page)).toContainText("Stopped");
  // A long answer is formatted in steps; the page has come to rest when its end is in view.
  await expect(answers(page).getByRole("button", { name: "More actions" })).toBeInViewport();
  const kept = (await answers(page).locator(".prose").first().textContent()) ?? "";
  await answers(page).getByRole("button", { name: "Continue", exact: true }).click();
  await hasWritten(answers(page), kept.length + 100);
  await expect(questions(page)).toHaveCount(1);
  await expect(answers(page)).toContainText(kept.slice(0, 100));
  await stopButton(page).click();
  await expect(answers(page)).toContainText("Stopped");
  await answers(page).getByRole("button", { name: "Continue", exact: true }).click();
  await expect(stopButton(page)).toBeVisible();
  await stopButton(page).click();
  await expect(answers(page).getByRole("group", { name: /^Version 3 of 3/ })).toBeVisible();
  await showsWhatIsStored(answers(page), request, sessionId);
  const stored = await readTranscript(request, sessionId);
  expect(stored.entries.at(-1)?.message.metadata?.continuedFrom).toBeDefined();
  expect(stored.entries).toHaveLength(2);
  await act(page, answers(page), "Show prompt");
  const receipt = page.getByRole("dialog", { name: "Prompt for this answer" });
  await expect(receipt).toContainText("Cut off. The answer goes on with it.");
  await expect(receipt).toContainText("Your last answer was cut off.");
});

test("I stop an answer from another tab, and try again from the first", async ({
  page,
  context,
}) => {
  await begin(page, "Write an endless essay about the fir");
  await hasWritten(answers(page), 100);
  const other = await context.newPage();
  await other.goto(page.url());
  await hasWritten(answers(other), 100);
  await stopButton(other).click();
  await expect(answers(page)).toContainText("Stopped");
  await expect(answers(other)).toContainText("Stopped");
  await other.close();

  await answers(page).getByRole("button", { name: "Regenerate" }).click();
  await expect(answers(page).getByRole("group", { name: "Version 2 of 2" })).toBeVisible();
  await hasWritten(answers(page), 60);
  await stopButton(page).click();
  await expect(answers(page)).toContainText("Stopped");
});

test("an answer goes on while nobody looks", async ({ page, request }) => {
  const sessionId = await begin(page, "Write a long essay about the spruce");
  await expect(stopButton(page)).toBeVisible();
  await page.goto("about:blank");
  await expect
    .poll(async () => (await readTranscript(request, sessionId)).entries.length, {
      timeout: 60_000,
    })
    .toBe(2);
  await page.goto(`/s/${sessionId}`);
  await expect(answers(page)).toContainText("try it in the order that pleases you");
  await expect(stopButton(page)).toBeHidden();
});

/** Waits until an answer holds at least `count` characters; returns how many it does. */
async function hasWritten(answer: Locator, count: number): Promise<number> {
  const length = async () => (await paragraphsOf(answer)).join("").length;
  await expect.poll(length, { intervals: [50], timeout: 30_000 }).toBeGreaterThanOrEqual(count);
  return length();
}

function paragraphsOf(answer: Locator): Promise<string[]> {
  return answer.getByRole("paragraph").allInnerTexts();
}

/** Waits until a stopped answer shows the stored paragraphs, without headings, and the note. */
async function showsWhatIsStored(
  answer: Locator,
  request: APIRequestContext,
  sessionId: string,
): Promise<void> {
  await expect(async () => {
    expect(await paragraphsOf(answer)).toEqual(await storedParagraphs(request, sessionId));
  }).toPass({ timeout: 20_000 });
}

async function storedParagraphs(request: APIRequestContext, sessionId: string) {
  const stored = await storedTexts(request, sessionId);
  const paragraphs = (stored.at(-1) ?? "")
    .split("\n\n")
    .filter((block) => !block.startsWith("#"))
    .map((block) => block.trim());
  return [...paragraphs, expect.stringContaining("Stopped")];
}

/** The lengths through which an answer passes, from nothing, until it holds `length` characters. */
function stepsUntil(page: Page, length: number): Promise<number[]> {
  return page.evaluate(
    (wanted) =>
      new Promise<number[]>((done) => {
        const steps: number[] = [];
        const look = () => {
          const paragraphs = document.querySelectorAll('article[aria-label^="Answer"] p');
          const present = [...paragraphs].map((paragraph) => paragraph.textContent).join("").length;
          if (present > 0 && steps.at(-1) !== present) steps.push(present);
          if (present >= wanted) done(steps);
          else requestAnimationFrame(look);
        };
        look();
      }),
    length,
  );
}

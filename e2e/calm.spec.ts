import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { makeSession, store } from "./support/api";
import { conversation, isLive, questions } from "./support/conversation";
import { pageInHalves } from "./support/page-in-halves";
import { openDrawer } from "./support/session-page";
import { test } from "./support/test";

declare global {
  interface Window {
    movedLines: string[];
  }
}

const longText = "A line of a long message, which goes on for a while and then ends. ".repeat(60);

test("a session is in its place when it is first seen, and stays there", {
  tag: "@essential",
}, async ({ page, request }) => {
  const sessionId = await openableSession(request, 30);
  await noteMoves(page);
  await page.goto(`/s/${sessionId}`);
  await expect(page.getByText("No answer yet.")).toBeInViewport();
  await isAtRest(page);
  expect(await page.evaluate(() => window.movedLines)).toEqual([]);
});

test("a session that I see before its scripts have come keeps its place when they do", async ({
  page,
  request,
}) => {
  const sessionId = await openableSession(request, 30);
  await noteMoves(page);
  const release = await holdScripts(page);
  await page.goto(`/s/${sessionId}`, { waitUntil: "commit" });
  await expect(page.getByText("No answer yet.")).toBeInViewport();
  await expect(conversation(page)).toHaveAttribute("aria-busy", "true");
  const before = await topOf(questions(page).last());
  release();
  await isLive(page);
  await isAtRest(page);
  expect(Math.abs((await topOf(questions(page).last())) - before)).toBeLessThan(1);
  expect(await page.evaluate(() => window.movedLines)).toEqual([]);
});

test("a session whose page comes in two halves is shown when it is whole, and does not move", async ({
  page,
  request,
  baseURL,
}) => {
  const sessionId = await openableSession(request, 30);
  await noteMoves(page);
  await using halves = await pageInHalves(baseURL ?? "", "Message 24. ");
  await page.goto(`${halves.address}/s/${sessionId}`, { waitUntil: "commit" });
  await expect(page.getByText("Message 23.")).toBeAttached();
  await page.waitForTimeout(500);
  expect(await page.evaluate(() => performance.getEntriesByType("paint"))).toEqual([]);
  halves.release();
  await expect(page.getByText("No answer yet.")).toBeInViewport();
  await isAtRest(page);
  expect(await page.evaluate(() => window.movedLines)).toEqual([]);
});

test("where I scrolled to before the scripts have come is where I am when they do", async ({
  page,
  request,
}) => {
  const sessionId = await openableSession(request, 30);
  const release = await holdScripts(page);
  await page.goto(`/s/${sessionId}`, { waitUntil: "commit" });
  await expect(page.getByText("No answer yet.")).toBeInViewport();
  const read = page.getByText("Message 26. ");
  await expect(read).not.toBeInViewport();
  await conversation(page).hover();
  await page.mouse.wheel(0, -500);
  await expect(read).toBeInViewport();
  await isAtRest(page);
  const before = await topOf(read);
  release();
  await isLive(page);
  await isAtRest(page);
  expect(Math.abs((await topOf(read)) - before)).toBeLessThan(1);
});

test("what I opened in a message is still open after it was far out of view", async ({
  page,
  request,
}) => {
  const sessionId = await makeSession(request, "A long message at the top");
  await store(request, sessionId, longText);
  await storeMany(request, sessionId, 40);
  await page.goto(`/s/${sessionId}`);
  await expect(page.getByText("No answer yet.")).toBeInViewport();
  await isLive(page);
  const fold = page.getByRole("button", { name: /^Show all/ });
  await scrollTo(page, "start");
  await fold.click();
  const unfolded = page.getByRole("button", { name: "Show less" });
  await expect(unfolded).toBeAttached();
  await scrollTo(page, "end");
  await expect(unfolded).toBeHidden();
  await expect(page.getByText("No answer yet.")).toBeInViewport();
  await scrollTo(page, "start");
  await expect(unfolded).toBeAttached();
});

test("what I open at the end of a session does not move from under the pointer", async ({
  page,
  request,
}) => {
  const sessionId = await openableSession(request, 4);
  await store(request, sessionId, longText);
  await page.goto(`/s/${sessionId}`);
  await expect(page.getByText("No answer yet.")).toBeInViewport();
  await isLive(page);
  const note = questions(page).last();
  const before = await topOf(note);
  await note.getByRole("button", { name: /^Show all/ }).click();
  await expect(note.getByRole("button", { name: "Show less" })).toBeAttached();
  await isAtRest(page);
  expect(await topOf(note)).toBeCloseTo(before, 0);
});

for (const { section, late, last } of [
  { section: "blocks", late: /\/api\/(settings$|proposals\?)/, last: "Memory" },
  { section: "data", late: /\/api\/backups$/, last: "Delete everything" },
])
  test(`settings are shown whole, so that nothing moves from under my pointer: ${section}`, async ({
    page,
  }) => {
    const { release, asked } = await hold(page, late);
    await page.goto(`/settings?section=${section}`);
    const main = page.getByRole("main");
    await expect.poll(asked).toBeGreaterThan(0);
    await expect(main.getByRole("status", { name: "Loading settings" })).toBeVisible();
    await expect(main.getByText(last, { exact: true })).toHaveCount(0);
    release();
    await expect(main.getByText(last, { exact: true }).first()).toBeVisible();
  });

test("what I wrote is formatted when the settings show it, so that nothing below it moves", async ({
  page,
}) => {
  await noteMoves(page, "main");
  await page.goto("/settings?section=blocks");
  const instructions = page.getByRole("article", { name: "Instructions" });
  await expect(instructions.locator(".prose-compact p").first()).toBeVisible();
  await page.waitForTimeout(500);
  expect(await page.evaluate(() => window.movedLines)).toEqual([]);
});

test("memory is shown whole, so that nothing moves from under my pointer", async ({
  page,
  request,
}) => {
  const { release, asked } = await hold(page, /\/api\/proposals\?/);
  await page.goto(`/s/${await openableSession(request, 2)}`);
  const panel = await openDrawer(page, "Memory");
  await expect.poll(asked).toBeGreaterThan(0);
  await expect(panel.getByRole("status")).toHaveText("Loading memory");
  release();
  await expect(panel.getByRole("button", { name: "New section" })).toBeVisible();
});

test("a press is a click although the page scrolls meanwhile", async ({ page, request }) => {
  const sessionId = await openableSession(request, 30);
  await store(request, sessionId, longText);
  await page.goto(`/s/${sessionId}`);
  await expect(page.getByText("No answer yet.")).toBeInViewport();
  await isLive(page);
  const box = await page.getByRole("button", { name: /^Show all/ }).boundingBox();
  if (!box) throw new Error("The button has no place on the page.");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await conversation(page).evaluate((element) => element.scrollBy(0, -3));
  await isAtRest(page);
  await page.mouse.up();
  await expect(page.getByRole("button", { name: "Show less" })).toBeAttached();
});

/** Keeps the answers to what a page asks until `release`; `asked` counts them. */
async function hold(
  page: Page,
  asks: RegExp,
): Promise<{ release: () => void; asked: () => number }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  await page.route(asks, async (route) => {
    count += 1;
    await promise;
    return route.continue();
  });
  return { release: resolve, asked: () => count };
}

async function openableSession(request: APIRequestContext, messages: number): Promise<string> {
  const sessionId = await makeSession(request, "A calm session");
  await storeMany(request, sessionId, messages);
  return sessionId;
}

async function storeMany(
  request: APIRequestContext,
  sessionId: string,
  count: number,
): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    const text = `Message ${n}. ${"It has lines of its own. ".repeat((n * 7) % 23)}`;
    await store(request, sessionId, text);
  }
}

/** Lets no script of Grove's reach the page until what this gives is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Notes every line, of the conversation unless told, that was painted in one place and then in another. */
async function noteMoves(page: Page, within = ".transcript"): Promise<void> {
  await page.addInitScript((selector) => {
    window.movedLines = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources = [] } = entry as PerformanceEntry & { sources?: { node: Node | null }[] };
        for (const { node } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          if (element?.closest(selector)) window.movedLines.push(element.textContent ?? "");
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  }, within);
}

/** Waits until the conversation has kept its place for many frames. */
async function isAtRest(page: Page): Promise<void> {
  await conversation(page).evaluate(async (element) => {
    let place = "";
    for (let still = 0; still < 20; still += 1) {
      await new Promise(requestAnimationFrame);
      const now = `${element.scrollTop}/${element.scrollHeight}`;
      if (now !== place) still = 0;
      place = now;
    }
  });
}

async function scrollTo(page: Page, where: "start" | "end"): Promise<void> {
  await conversation(page).evaluate((element, to) => {
    element.scrollTop = to === "start" ? 0 : element.scrollHeight;
  }, where);
}

async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? Number.NaN;
}

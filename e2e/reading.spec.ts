import type { LLMock } from "@copilotkit/aimock";
import { expect, type Page } from "@playwright/test";
import { fillSession, makeSession, offerProvider, store } from "./support/api";
import { answered, answers, begin, composer, isLive, questions, say } from "./support/conversation";
import { startModelServer } from "./support/model-server";
import { ask, askFirst } from "./support/session-page";
import { test } from "./support/test";

const everything = `# Timber

Some **bold** and \`inline\` words, a [link](https://example.org/oak) and $a^2 + b^2$.

| tree | height |
|------|-------:|
| oak  | 20 m   |

- [x] measured
- [ ] felled

\`\`\`ts
const height: number = 20;
console.log(height);
\`\`\`

$$\\sum_{n=1}^{9} n = 45$$

![a picture](https://example.org/oak.png) <script>document.title = "run"</script> <b>not bold</b>`;

const arabic = `إجابة بالعربية.

- العنصر الأول
- العنصر الثاني

1. خطوة

   فقرة ثانية

> اقتباس

| الاسم | القيمة |
|---|---|
| واحد | 1 |

- One in English`;

test.describe("What a model writes", () => {
  let server: LLMock;

  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test.beforeEach(async ({ request }) => {
    server = await startModelServer({ models: ["first-model", "second-model"] });
    server.onMessage("Show me everything", { content: everything });
    server.onMessage("Answer in Arabic", { content: arabic });
    await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "first-model" });
  });

  test.afterEach(() => server.stop());

  test("reads from the right where it is written from there: lists, quotes and tables, too", async ({
    page,
  }) => {
    const answer = await askFirst(page, "Answer in Arabic");
    for (const place of ["ul", "ul > li", "ol", "ol > li", "blockquote", "table"]) {
      await expect(answer.locator(place).first()).toHaveCSS("direction", "rtl");
    }
    await expect(answer.locator("ul").last()).toHaveCSS("direction", "ltr");
    const [list, item] = await Promise.all([
      answer.locator("ul").first().boundingBox(),
      answer.locator("ul > li").first().boundingBox(),
    ]);
    if (!list || !item) throw new Error("The list is not there.");
    // Room for the marker, at the right.
    expect(list.x + list.width - (item.x + item.width)).toBeGreaterThan(15);
    expect(item.x - list.x).toBeLessThan(1);
  });

  test("is formatted, with code and its copy, tables and formulas, and nothing of it runs or loads", {
    tag: "@essential",
  }, async ({ page }) => {
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith("http://127.0.0.1")) elsewhere.push(request.url());
    });
    const answer = await askFirst(page, "Show me everything");
    await expect(answer.getByRole("heading", { name: "Timber" })).toBeVisible();
    await expect(answer.getByRole("cell", { name: "20 m" })).toBeVisible();
    await expect(answer.getByRole("link", { name: "link" })).toHaveAttribute(
      "href",
      "https://example.org/oak",
    );
    await expect(answer.getByRole("checkbox")).toHaveCount(2);
    await expect(answer.getByRole("math")).toHaveCount(2);
    const size = (line: Element) => Number.parseFloat(getComputedStyle(line).fontSize);
    expect(await answer.locator("pre").first().evaluate(size)).toBeGreaterThanOrEqual(13.5);
    await expect(answer).toContainText("<b>not bold</b>");
    await expect(answer).toContainText("image from example.org not loaded");
    await expect(answer.getByRole("img", { name: "a picture" })).toBeHidden();

    await answer.getByRole("button", { name: /^Copy.* code$|^Copy code$/i }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe("const height: number = 20;\nconsole.log(height);");
    await answer.hover();
    await answer.getByRole("button", { name: "Copy", exact: true }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(everything);
    await expect(page).not.toHaveTitle("run");
    expect(elsewhere).toEqual([]);
  });

  test("is there to be read, formatted and at its end, where no script runs", async ({
    page,
    browser,
  }) => {
    await askFirst(page, "Show me everything");
    await answered(page);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const silent = await context.newPage();
    await silent.goto(page.url());
    const answer = answers(silent).last();
    await expect(answer.getByRole("heading", { name: "Timber" })).toBeVisible();
    await expect(answer.getByRole("cell", { name: "20 m" })).toBeVisible();
    await expect(answer.getByRole("math")).toHaveCount(2);
    await expect(answer.getByText("console.log(height);")).toBeVisible();
    await expect(answer.getByText("image from example.org not loaded")).toBeInViewport();
    await context.close();
  });
});

test("the page follows an answer only while I am at its end", async ({ page }) => {
  await begin(page, "Write an endless essay about the elm");
  const transcript = page.getByRole("region", { name: /Conversation|Transcript|Messages/ });
  await expect.poll(() => scrolled(page)).toBeGreaterThan(400);
  await expect.poll(() => fromEnd(page)).toBeLessThan(40);

  await transcript.hover();
  await page.mouse.wheel(0, -600);
  await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  const stays = await scrolled(page);
  const before = await fromEnd(page);
  await expect.poll(() => fromEnd(page)).toBeGreaterThan(before + 300);
  expect(Math.abs((await scrolled(page)) - stays)).toBeLessThan(2);

  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect.poll(() => fromEnd(page)).toBeLessThan(40);
  await page.getByRole("button", { name: "Stop writing" }).click();
});

test("an answer is announced once, when it has ended", async ({ page }) => {
  await page.goto("/");
  await watchAnnouncements(page);
  await ask(page, "What is a rowan?");
  const said = async () => {
    const announced = await page.evaluate(() => window.announced);
    return announced.filter((text) => text.startsWith("Answer: ")).length;
  };
  await expect.poll(said).toBe(1);
});

test("with less motion asked for, nothing moves while an answer is written", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await begin(page, "Write an endless essay about the yew");
  await expect(page.getByRole("button", { name: "Stop writing" })).toBeVisible();
  await expect(answers(page)).toContainText("A walk");
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .map(({ effect }) => effect?.getComputedTiming())
      .filter((timing) => timing?.iterations === Infinity || Number(timing?.duration) > 1),
  );
  expect(moving).toEqual([]);
  await page.getByRole("button", { name: "Stop writing" }).click();
});

test("with less motion asked for, a session opens at its end all the same", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/s/example-garden");
  await expect(answers(page).last()).toBeInViewport();
  await expect.poll(() => fromEnd(page)).toBeLessThan(40);
});

test.describe("In another zone", () => {
  test.use({ timezoneId: "Pacific/Kiritimati" });

  test("times are the reader's own", async ({ page }) => {
    await page.goto("/");
    await composer(page).focus();
    await say(page, "What time is it?");
    const time = await page.evaluate(() =>
      new Date().toLocaleTimeString("en", { hour: "numeric", timeZone: "Pacific/Kiritimati" }),
    );
    const [hour = "", half = ""] = time.split(" ");
    await expect(
      page.getByRole("article", { name: new RegExp(`^You, ${hour}:\\d\\d.${half}$`) }),
    ).toBeVisible();
  });
});

declare global {
  interface Window {
    announced: string[];
  }
}

/** Keeps what the page's polite live regions say from now on, across the pages of the app. */
async function watchAnnouncements(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.announced = [];
    new MutationObserver(() => {
      for (const region of document.querySelectorAll("[aria-live=polite]")) {
        const text = region.textContent ?? "";
        if (text !== "" && window.announced.at(-1) !== text) window.announced.push(text);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

async function scrolled(page: Page): Promise<number> {
  return page.locator("section.transcript").evaluate((element) => element.scrollTop);
}

async function fromEnd(page: Page): Promise<number> {
  return page
    .locator("section.transcript")
    .evaluate(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
    );
}

test("Back opens a chat where I had scrolled to", async ({ page, request, baseURL, owner }) => {
  const [long, other] = [await makeSession(request, "Long"), await makeSession(request, "Other")];
  await fillSession({ baseURL: baseURL ?? "", owner }, long, 40);
  await page.goto(`/s/${long}`);
  const scroller = page.getByRole("region", { name: "Conversation" });
  await isLive(page);
  await scroller.hover();
  await page.mouse.wheel(0, -1_200);
  const place = () => scroller.evaluate((element) => Math.round(element.scrollTop));
  const atEnd = () =>
    scroller.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
  await expect.poll(atEnd).toBeGreaterThan(800);
  await page.waitForFunction(() => true);
  const before = await place();
  const list = page.getByRole("complementary", { name: "Chats and search" });
  await list.locator(`[data-session-link="${other}"]`).click();
  await expect(page).toHaveURL(`/s/${other}`);
  await page.goBack();
  await expect(page).toHaveURL(`/s/${long}`);
  await isLive(page);
  await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(40);
});

test.describe("In another zone and region than the server's", () => {
  test.use({ timezoneId: "Pacific/Kiritimati", locale: "de-DE" });

  test("days and times are mine from the first paint on", async ({ page, request }) => {
    const sessionId = await makeSession(request, "Far away");
    await store(request, sessionId, "What time is it?");
    await page.goto("/settings");
    await expect.poll(() => page.evaluate(() => document.cookie)).toContain("grove-zone=");
    const html = await page.evaluate(
      async (id) => (await fetch(`/s/${id}`, { headers: { accept: "text/html" } })).text(),
      sessionId,
    );
    await page.goto(`/s/${sessionId}`);
    await isLive(page);
    const name = await questions(page).first().getAttribute("aria-label");
    const day = await page.locator("time[datetime]").first().getAttribute("datetime");
    expect(name).toMatch(/^You, \d\d:\d\d$/);
    expect(html).toContain(`aria-label="${name}"`);
    expect(html.toLowerCase()).toContain(`datetime="${day}"`);
    const there = await page.evaluate(() => new Date().toLocaleDateString("en-CA"));
    expect(day).toBe(there);
  });
});

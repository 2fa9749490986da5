import { readFile, stat, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { expect, type Page } from "@playwright/test";
import type { DataCountsWire } from "@/lib/chat/wire/data";
import { expectAccessible } from "./support/accessible";
import { makeSession, store } from "./support/api";
import {
  answerAgain,
  answered,
  answers,
  converse,
  leafOf,
  questions,
} from "./support/conversation";
import { test } from "./support/test";

const openData = async (page: Page) => {
  await page.goto("/settings?section=data");
  await expect(page.getByRole("link", { name: "Export" })).toBeVisible();
};

/** Downloads everything by the button, and returns the file's path. */
async function exportEverything(page: Page): Promise<string> {
  await openData(page);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^grove-\d{4}-\d{2}-\d{2}\.jsonl$/);
  return file.path();
}

/** An import starts a process of its own, which promises no time. */
const importing = { timeout: 60_000 };

const importFile = (page: Page, path: string) =>
  page.getByLabel("Import a file", { exact: true }).last().setInputFiles(path);

test.describe("My data", () => {
  test("I take everything out, delete it, and bring it back as it was", {
    tag: "@essential",
  }, async ({ page, request }) => {
    await makeSession(request, "A pot");
    const sessionId = await makeSession(request, "A kettle");
    await store(request, sessionId, "Which kettle is best?");
    await store(request, sessionId, "Another way to ask", { id: "aside", parentId: null });
    const path = await exportEverything(page);
    const read = async (address: string) => (await request.get(address)).json();
    const before: DataCountsWire = await read("/api/data");
    const tree: unknown = await read(`/api/sessions/${sessionId}/tree`);

    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete everything?" });
    await expect(dialog.getByText(`This deletes ${before.sessions} chats with`)).toBeVisible();
    await expectAccessible(page, "delete everything");
    const button = dialog.getByRole("button", { name: "Delete everything" });
    await expect(button).toBeDisabled();
    await dialog.getByRole("textbox").fill("delete everything");
    await button.click();
    await expect(page).toHaveURL(/:\d+\/$/);
    await expect(page.getByText("No chats yet")).toBeVisible();
    await expect
      .poll(() => read("/api/data"))
      .toMatchObject({ sessions: 0, messages: 0, documents: 0 });

    await openData(page);
    await importFile(page, path);
    await expect(page.getByText(`${before.sessions} chats imported`)).toBeVisible(importing);
    const { sessions, messages, documents } = before;
    await expect.poll(() => read("/api/data")).toMatchObject({ sessions, messages, documents });
    await expect.poll(() => read(`/api/sessions/${sessionId}/tree`)).toEqual(tree);
    await page.getByRole("link", { name: "A kettle" }).click();
    await expect(questions(page)).toContainText("Another way to ask");

    await openData(page);
    await importFile(page, path);
    await expect(page.getByText(`0 chats imported, ${before.sessions} already here`)).toBeVisible(
      importing,
    );
  });

  test("I import a file in one tab, and my other tab lists its chats", async ({
    page,
    request,
    context,
  }) => {
    await makeSession(request, "A teapot");
    const path = await exportEverything(page);
    await request.delete("/api/data", { data: { confirm: "delete everything" } });
    const other = await context.newPage();
    await other.goto("/");
    await expect(other.getByText("No chats yet")).toBeVisible();
    await openData(page);
    await importFile(page, path);
    await expect(other.getByRole("link", { name: "A teapot" })).toBeVisible(importing);
  });

  test("I choose what a file brings into all chats, and undo it", async ({ page, request }) => {
    const remembered = async () => (await request.get("/api/blocks")).text();
    await request.put("/api/blocks/memory", { data: { content: "- Obeys every file" } });
    const path = await exportEverything(page);
    await request.delete("/api/data", { data: { confirm: "delete everything" } });
    await openData(page);
    await importFile(page, path);
    const dialog = page.getByRole("dialog", { name: "Add to all chats?" });
    await expect(dialog).toContainText("Obeys every file", importing);
    await expectAccessible(page, "import offers");
    await dialog.getByRole("button", { name: "Import chats only" }).click();
    await expect(page.getByText(/^Left out of all chats:/)).toContainText("About you", importing);
    expect(await remembered()).not.toContain("Obeys");

    await openData(page);
    await importFile(page, path);
    await dialog.getByRole("checkbox", { name: "About you" }).check();
    await dialog.getByRole("button", { name: /^Import with/ }).click();
    await expect(page.getByText(/^Added to all chats: .*About you/)).toBeVisible(importing);
    expect(await remembered()).toContain("Obeys");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(page.getByText("Removed from all chats again.")).toBeVisible();
    expect(await remembered()).not.toContain("Obeys");
  });

  test("a damaged file says which line is wrong, and nothing of that session comes in", async ({
    page,
    request,
  }, testInfo) => {
    const sessionId = await makeSession(request, "Damaged");
    await store(request, sessionId, "Whole text");
    const lines = await (await request.get(`/api/sessions/${sessionId}/export`)).text();
    const path = testInfo.outputPath("damaged.jsonl");
    await writeFile(path, lines.replaceAll(sessionId, "other").replace('"user"', '"ruler"'));
    await openData(page);
    await importFile(page, path);
    await expect(page.getByText("0 chats imported, 1 skipped")).toBeVisible(importing);
    await expect(page.getByRole("list", { name: "Import problems" })).toContainText("Line 3, role");
    await expectAccessible(page, "import report");
    expect((await request.get("/api/sessions/other")).status()).toBe(404);
    await writeFile(path, "Not an export");
    await importFile(page, path);
    await expect(page.getByText(/is not valid JSON/)).toBeVisible(importing);
  });

  test("I keep one session as JSON, and the path I see as Markdown", async ({ page, request }) => {
    const sessionId = await makeSession(request, "Two ways");
    const first = await store(request, sessionId, "The first way", {
      id: "way-1",
    });
    await store(request, sessionId, "The second way", {
      id: "way-2",
      parentId: null,
    });
    await page.goto(`/s/${sessionId}?leaf=${first.entry.message.id}`);
    await expect(page.getByText("The first way")).toBeVisible();
    const keep = async (form: string) => {
      await page.getByRole("banner").getByRole("button", { name: "Actions for Two ways" }).click();
      const download = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: `Export as ${form}` }).click();
      const file = await download;
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
    };
    const markdown = await keep("Markdown");
    expect(markdown.name).toBe("Two ways.md");
    expect(markdown.text).toContain("# Two ways\n\n## You · ");
    expect(markdown.text).toContain("The first way");
    expect(markdown.text).not.toContain("The second way");
    const json = await keep("JSON");
    expect(json.name).toBe("Two ways.jsonl");
    expect(json.text.match(/"type":"message"/g)).toHaveLength(2);
  });
});

test("a chat that I save as a web page opens from the disk, and I walk its branches there", async ({
  page,
  browser,
}, testInfo) => {
  await converse(page, "How does a page of the birch look?");
  const first = leafOf(page);
  await answerAgain(answers(page));
  await answered(page);
  expect(leafOf(page)).not.toBe(first);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Save as web page" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as web page" });
  const preview = dialog.frameLocator("iframe");
  await expect(preview.getByRole("article")).toHaveCount(2);
  await dialog.getByRole("switch", { name: "All branches" }).click();
  await expect(preview.getByRole("navigation")).toHaveText("‹ 2/2 ›");
  await preview.getByRole("link", { name: "Previous version" }).click();
  await expect(preview.getByRole("navigation")).toHaveText("‹ 1/2 ›");
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save" }).click();
  const path = testInfo.outputPath("saved.html");
  await (await downloading).saveAs(path);
  expect((await stat(path)).size).toBeLessThan(100_000);

  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const saved = await context.newPage();
  const requested: string[] = [];
  saved.on("request", (request) => requested.push(request.url()));
  const address = pathToFileURL(path).href;
  await saved.goto(address);
  const shown = saved.getByRole("navigation");
  await expect(shown).toHaveText("‹ 2/2 ›");
  await shown.getByRole("link", { name: "Previous version" }).click();
  await expect(shown).toHaveText("‹ 1/2 ›");
  await expect(saved.getByRole("article")).toHaveCount(2);
  await saved.goBack();
  await expect(shown).toHaveText("‹ 2/2 ›");
  await saved.getByText("Branches").click();
  await saved.getByRole("listitem").getByRole("link").last().click();
  await expect(shown).toHaveText("‹ 1/2 ›");
  expect(requested.filter((url) => !url.startsWith(address))).toEqual([]);
  await context.close();
});

test("a chat that I share opens by its link and password elsewhere, until I stop sharing it", async ({
  page,
  browser,
}) => {
  await converse(page, "How does a link to the birch look?");
  await answerAgain(answers(page));
  await answered(page);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Share…" }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByRole("switch", { name: "All branches" }).click();
  await expect(dialog.frameLocator("iframe").getByRole("navigation")).toHaveText("‹ 2/2 ›");
  await dialog.getByRole("textbox", { name: "Password" }).fill("under the birch");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByRole("region", { name: "Link" }).locator("code").textContent();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const shared = await context.newPage();
  await shared.goto(link ?? "");
  await shared.getByLabel("Password").fill("under the beech");
  await shared.getByRole("button", { name: "Open" }).click();
  await expect(shared.getByRole("alert")).toHaveText("This is not the password. Try again.");
  await shared.getByLabel("Password").fill("under the birch");
  await shared.getByRole("button", { name: "Open" }).click();
  const shown = shared.getByRole("navigation");
  await shown.getByRole("link", { name: "Previous version" }).click();
  await expect(shown).toHaveText("‹ 1/2 ›");
  // Stories name their owner by a cookie.
  expect((await context.cookies()).map(({ name }) => name)).toEqual(["grove-test-owner"]);

  const mine = await page.context().newPage();
  await mine.goto(`${link}/copy`);
  await mine.getByLabel("Password of the link").fill("under the birch");
  await mine.getByRole("button", { name: "Copy to my chats" }).click();
  await expect(answers(mine)).toHaveCount(1);
  await mine.close();

  await dialog.getByRole("button", { name: "Stop sharing" }).click();
  await expect(dialog.getByRole("button", { name: "Create link" })).toBeVisible();
  const gone = await shared.goto(link ?? "");
  expect(gone?.status()).toBe(404);
  await expect(shared.getByRole("heading")).toHaveText("This link leads nowhere");
  await context.close();
});

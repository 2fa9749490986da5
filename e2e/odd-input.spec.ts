import { expect, type Locator, type Page } from "@playwright/test";
import { makeSession, store, storedTexts } from "./support/api";
import { act, composer, questions } from "./support/conversation";
import { test } from "./support/test";

declare global {
  interface Window {
    scriptRan?: boolean;
  }
}

const script = `<img src="x" onerror="window.scriptRan = true"><script>window.scriptRan = true</script>`;

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("what I paste into a message is taken whole or refused with a sentence, and what I wrote stays", {
  tag: "@essential",
}, async ({ page, request }) => {
  const sessionId = await makeSession(request, "Long pastes");
  await page.goto(`/s/${sessionId}`);
  const field = composer(page);
  const beginning = `My beginning${"y".repeat(197_000)}`;
  await field.fill(beginning);

  await paste(page, field, "x".repeat(2_989));
  await expect(page.getByRole("form", { name: "Message" }).getByRole("alert")).toHaveText(
    "Not pasted: that is 2,989 characters, and there is room for 2,988 more.",
  );
  await expect(field).toHaveValue(beginning);

  await paste(page, field, "x".repeat(2_988));
  await expect(page.getByRole("form", { name: "Message" }).getByRole("alert")).toBeHidden();
  await expect(field).toHaveValue(beginning + "x".repeat(2_988));

  await field.press("Enter");
  const send = page.getByRole("button", { name: "Send anyway" });
  await expect(send).toBeFocused();
  await send.press("Enter");
  await expect.poll(() => storedTexts(request, sessionId)).toContain(beginning + "x".repeat(2_988));
});

test("control characters and scripts that I send are shown as text", async ({ page, request }) => {
  const sessionId = await makeSession(request, "Odd characters");
  await page.goto(`/s/${sessionId}`);
  await composer(page).fill(`Bell \u0007 and zero \u0000 in ${script}`);
  await expect(page.getByRole("form", { name: "Message" }).getByRole("alert")).toHaveText(
    "2 invisible characters were made visible.",
  );
  await composer(page).press("Enter");
  await expect(questions(page)).toContainText(`Bell ␇ and zero ␀ in ${script}`);
  await page.reload();
  await expect(questions(page)).toContainText(`Bell ␇ and zero ␀ in ${script}`);
  expect(await page.evaluate(() => window.scriptRan)).toBeUndefined();
});

test("a title, a bookmark and a search show what I typed, and say when a paste does not fit", async ({
  page,
  request,
}) => {
  const sessionId = await makeSession(request, "To be renamed");
  await store(request, sessionId, "A question to bookmark");
  await page.goto(`/s/${sessionId}`);

  const heading = page.getByRole("banner");
  await heading
    .getByRole("button", { name: /To be renamed/ })
    .first()
    .click();
  const title = page.getByRole("textbox", { name: "Title" });
  await paste(page, title, "x".repeat(201));
  await expect(heading.getByRole("alert")).toContainText("Not pasted: that is 201 characters");
  await expect(title).toHaveValue("To be renamed");
  await title.fill(script);
  await title.press("Enter");
  await expect(heading.getByRole("heading", { name: "<script>" })).toBeVisible();

  await act(page, questions(page), "Bookmark");
  await questions(page).getByRole("button", { name: "Bookmarked" }).click();
  const dialog = page.getByRole("dialog", { name: "Name this bookmark" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await name.fill("Kept");
  await paste(page, name, "x".repeat(100));
  await expect(dialog.getByRole("alert")).toHaveText(
    "Not pasted: that is 100 characters, and there is room for 80.",
  );
  await expect(name).toHaveValue("Kept");
  await name.fill("<b>bold</b>");
  await name.press("Enter");
  await expect(questions(page)).toContainText("<b>bold</b>");

  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Search and commands" });
  await paste(page, search, "x ".repeat(300));
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("there is room for 500");
  await search.fill(`"nothingsaysthis <script>" \\ % ' ; --`);
  await expect(page.getByText(/^No results for/)).toContainText("<script>");
  expect(await page.evaluate(() => window.scriptRan)).toBeUndefined();
});

async function paste(page: Page, field: Locator, text: string): Promise<void> {
  await field.focus();
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await page.keyboard.press("ControlOrMeta+v");
}

test("long words and names stay inside the page, on a phone too", async ({ page, request }) => {
  const word = "Donaudampfschifffahrtselektrizitaet".repeat(5);
  const sessionId = await makeSession(request, word);
  await store(request, sessionId, `${word} https://example.org/${word.repeat(3)}`);
  for (const width of [390, 1024]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/s/${sessionId}`);
    await expect(questions(page)).toContainText(word);
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(widest).toBe(width);
  }
});

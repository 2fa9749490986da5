import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import OpenAI from "openai";
import { makeSession, store } from "./support/api";
import { act, answers, converse, isLive, questions } from "./support/conversation";
import { test } from "./support/test";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const sheet = (page: Page, name: string) => page.getByRole("dialog", { name });

test.describe("On a phone", () => {
  test("Back closes what covers the chat, and then goes back as before", {
    tag: "@essential",
  }, async ({ page, request }) => {
    const first = await makeSession(request, "First");
    const second = await makeSession(request, "Second");
    await store(request, first, "Hello");
    await store(request, second, "Again");
    await page.goto(`/s/${first}`);
    await expect(questions(page)).toContainText("Hello");

    await page.getByRole("button", { name: "Memory, context and tree" }).tap();
    await expect(sheet(page, "Memory, context and tree")).toBeVisible();
    await page.goBack();
    await expect(sheet(page, "Memory, context and tree")).toBeHidden();
    await expect(page).toHaveURL(`/s/${first}`);

    await page.getByRole("button", { name: "Memory, context and tree" }).tap();
    await sheet(page, "Memory, context and tree").getByRole("button", { name: "Close" }).tap();
    await expect(sheet(page, "Memory, context and tree")).toBeHidden();

    await page.getByRole("button", { name: "Chats and search" }).tap();
    await sheet(page, "Chats and search").getByRole("link", { name: "Second" }).tap();
    await expect(questions(page)).toContainText("Again");
    await page.goBack();
    await expect(questions(page)).toContainText("Hello");
    await expect(page).toHaveURL(`/s/${first}`);
  });

  test("what programs began is a group below my chats, which says so until I dismiss it", async ({
    page,
    request,
    baseURL,
  }) => {
    const mine = await makeSession(request, "My own");
    const scopes = { canWrite: true, usesMemory: false, keeps: "chats", models: null };
    const made = await request.post("/api/keys", {
      data: { ...scopes, name: "Notebook", monthlyLimit: null },
    });
    const { secret } = (await made.json()) as { secret: string };
    const openai = new OpenAI({ apiKey: secret, baseURL: `${baseURL}/v1`, maxRetries: 0 });
    await openai.responses.create({ input: "Which trees keep their leaves?" });

    await page.goto(`/s/${mine}`);
    await page.getByRole("button", { name: "Chats and search" }).tap();
    const programs = page.getByRole("region", { name: "Programs" });
    await expect(page.getByRole("link", { name: /Which trees/ })).toHaveCount(0);
    const hint = programs.getByText("Chats that programs began are kept here");
    await expect(hint).toBeInViewport();
    await programs.getByRole("button", { name: "Dismiss" }).tap();
    await expect(hint).toBeHidden();
    await programs.getByRole("button", { name: "Programs" }).tap();
    await programs.getByRole("button", { name: "Notebook" }).tap();
    await programs.getByRole("link", { name: /Which trees/ }).tap();
    await expect(answers(page).first()).toContainText("Which trees keep their leaves?");
    await page.reload();
    await page.getByRole("button", { name: "Chats and search" }).tap();
    await expect(programs.getByRole("button", { name: "Programs" })).toBeInViewport();
    await expect(hint).toBeHidden();
  });

  test("Back closes the menu or dialog on top, keeps the chat and gives the focus back", async ({
    page,
    request,
  }) => {
    const { second } = await openSecondFromFirst(page, request);
    const more = questions(page).getByRole("button", { name: "More actions" });
    await more.tap();
    await expect(page.getByRole("menu")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(page).toHaveURL(`/s/${second}`);

    await act(page, questions(page), "Bookmark");
    await act(page, questions(page), "Name bookmark…");
    await sheet(page, "Name this bookmark").getByRole("textbox").fill("Keep this");
    await page.goBack();
    await expect(sheet(page, "Name this bookmark")).toBeHidden();
    await expect(page).toHaveURL(`/s/${second}`);
    await expect(more).toBeFocused();
    await expect(questions(page)).toContainText("Again");

    await page.getByRole("button", { name: "Memory, context and tree" }).tap();
    const drawer = sheet(page, "Memory, context and tree");
    await drawer.getByRole("button", { name: "New section" }).tap();
    await expect(sheet(page, "New section")).toBeVisible();
    await page.goBack();
    await expect(sheet(page, "New section")).toBeHidden();
    await expect(drawer).toBeVisible();
    await page.goBack();
    await expect(drawer).toBeHidden();
    await expect(questions(page)).toContainText("Again");
    await page.goBack();
    await expect(questions(page)).toContainText("Hello");
  });

  test("Back after a dialog that I closed or that led elsewhere goes where it would have gone", async ({
    page,
    request,
  }) => {
    const { first, second } = await openSecondFromFirst(page, request);
    await act(page, questions(page), "Bookmark");
    await act(page, questions(page), "Name bookmark…");
    await sheet(page, "Name this bookmark").getByRole("textbox").fill("Keep this");
    await sheet(page, "Name this bookmark").getByRole("button", { name: "Save" }).tap();
    await expect(sheet(page, "Name this bookmark")).toBeHidden();
    await act(page, questions(page), "Branch in new chat");
    await sheet(page, "Branch in new chat").getByRole("button", { name: "Cancel" }).tap();
    await expect(sheet(page, "Branch in new chat")).toBeHidden();

    await act(page, questions(page), "Branch in new chat");
    await sheet(page, "Branch in new chat")
      .getByRole("button", { name: "Create", exact: true })
      .tap();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Second (branch)");
    await page
      .getByRole("banner")
      .getByRole("button", { name: /^Actions for/ })
      .tap();
    await page.getByRole("menuitem", { name: "Delete" }).tap();
    await expect(page).toHaveURL("/");

    await page.goBack();
    await expect(page).not.toHaveURL("/");
    await page.goBack();
    await expect(page).toHaveURL(`/s/${second}`);
    await expect(questions(page)).toContainText("Again");
    await page.goBack();
    await expect(page).toHaveURL(`/s/${first}`);
    await expect(questions(page)).toContainText("Hello");
  });

  test("I tap the model of an answer and read why it was picked", async ({ page }) => {
    await converse(page, "Who answers me?");
    const name = answers(page).getByRole("button", { name: "why this model?" });
    await name.tap();
    const reason = sheet(page, "Why this model?");
    await expect(reason).toContainText(/ Change it per chat or in Settings\./);
    await page.goBack();
    await expect(reason).toBeHidden();
    await expect(name).toBeFocused();
    expect(await tooSmall(page, "article")).toEqual([]);
  });

  test("a new chat begins from the bar, and everything to press is 44 pixels high", async ({
    page,
    request,
  }) => {
    const sessionId = await makeSession(request, "Targets");
    await store(request, sessionId, "Hello");
    await page.goto(`/s/${sessionId}`);
    await expect(questions(page).getByRole("button", { name: "More actions" })).toBeVisible();
    expect(await tooSmall(page, "body")).toEqual([]);
    await page.getByRole("button", { name: "Chats and search" }).tap();
    await expect(
      sheet(page, "Chats and search").getByRole("link", { name: "Targets" }),
    ).toBeVisible();
    expect(await tooSmall(page, "[role=dialog]")).toEqual([]);
    await page.goBack();
    await expect(sheet(page, "Chats and search")).toBeHidden();
    await page
      .getByRole("banner")
      .or(page.locator("header"))
      .first()
      .getByRole("link", { name: "New chat" })
      .tap();
    await expect(page).toHaveURL("/");
  });

  test("the composer has few controls, boxes of tasks lie apart, and notices keep off the header", async ({
    page,
  }) => {
    await page.goto("/s/example-garden");
    await isLive(page);
    const form = page.locator("form", { has: page.getByRole("textbox", { name: "Message" }) });
    await expect(form.getByRole("button", { name: /^Model: / })).toBeVisible();
    const known = /^(Attach and more|Model: .+|Search the web|Dictate|Send)$/;
    const shown = form.getByRole("button").filter({ visible: true });
    const names = await shown.evaluateAll((all) =>
      all.map((each) => each.getAttribute("aria-label") ?? each.textContent ?? ""),
    );
    expect(names.length).toBeGreaterThanOrEqual(3);
    expect(names.filter((name) => !known.test(name))).toEqual([]);

    await page.getByRole("button", { name: "Memory, context and tree" }).tap();
    const boxes = sheet(page, "Memory, context and tree").getByRole("checkbox");
    await expect(boxes.nth(1)).toBeVisible();
    const between = ((await boxes.nth(1).boundingBox())?.y ?? 0) - (await bottomOf(boxes.first()));
    expect(between).toBeGreaterThanOrEqual(8);
    await page.goBack();

    await page.getByRole("button", { name: "Chats and search" }).tap();
    await page
      .getByRole("button", { name: /^Actions for / })
      .first()
      .tap();
    await page.getByRole("menuitem", { name: "Archive" }).tap();
    const notice = page.locator("[data-sonner-toast]", { hasText: "archived" });
    await expect(notice).toBeVisible();
    const end = await bottomOf(page.locator("header").first());
    await expect.poll(async () => (await notice.boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(end);
  });
});

async function bottomOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  expect(box?.height).toBeGreaterThan(20);
  return (box?.y ?? 0) + (box?.height ?? 0);
}

async function openSecondFromFirst(page: Page, request: APIRequestContext) {
  const first = await makeSession(request, "First");
  const second = await makeSession(request, "Second");
  await store(request, first, "Hello");
  await store(request, second, "Again");
  await page.goto(`/s/${first}`);
  await isLive(page);
  await page.getByRole("button", { name: "Chats and search" }).tap();
  await sheet(page, "Chats and search").getByRole("link", { name: "Second" }).tap();
  await expect(questions(page)).toContainText("Again");
  await expect(page).toHaveURL(`/s/${second}`);
  return { first, second };
}

/** Names of visible controls whose target, with the area around that also counts, is lower than 44 pixels. */
async function tooSmall(page: Page, within: string): Promise<string[]> {
  return page.evaluate((root) => {
    const controls = document.querySelectorAll<HTMLElement>(`${root} :is(button, a[href])`);
    return [...controls].flatMap((control) => {
      const { height, width } = control.getBoundingClientRect();
      const isShown = control.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!isShown || height < 2 || width < 2 || control.closest(".prose")) return [];
      const around = getComputedStyle(control, "::after");
      const extra =
        around.position === "absolute"
          ? -Number.parseFloat(around.top) - Number.parseFloat(around.bottom)
          : 0;
      const name = control.getAttribute("aria-label") ?? control.textContent?.trim() ?? "";
      return height + (extra || 0) < 43.5 ? [`${name} ${height + (extra || 0)}`] : [];
    });
  }, within);
}

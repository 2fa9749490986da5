import { expect } from "vitest";
import type { SessionDetailWire } from "@/lib/chat/wire/sessions";
import { expectAccessible } from "./testing/accessible";
import { makeSession } from "./testing/api";
import { answers, converse, newWord, say } from "./testing/conversation";
import type { Locator } from "./testing/locator";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const sidebar = (page: StoryPage) => page.getByRole("complementary", { name: "Chats and search" });
const link = (page: StoryPage, title: string | RegExp) =>
  sidebar(page).getByRole("link", { name: title });

test("I archive a session, find it in the archive, and take it out again", {
  tags: "long",
}, async ({ page, request }) => {
  const title = `Done with ${newWord()}`;
  await makeSession(request, title);
  await page.goto("/");
  await choose(page, title, "Archive");
  await expect(link(page, title)).toBeHidden();

  await sidebar(page).getByRole("button", { name: "Filter chats" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Archived chats" }).click();
  await page.keyboard.press("Escape");
  await expect(link(page, title)).toBeVisible();
  await choose(page, title, "Unarchive");
  await expect(link(page, title)).toBeHidden();
  await sidebar(page).getByRole("button", { name: "Filter chats" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Archived chats" }).click();
  await page.keyboard.press("Escape");
  await expect(link(page, title)).toBeVisible();
});

test("I tag sessions, and see only those that carry a tag", async ({ page, request }) => {
  const [tag, kept, other] = [newWord(), `Kept ${newWord()}`, `Other ${newWord()}`];
  await makeSession(request, kept);
  await makeSession(request, other);
  await page.goto("/");
  await choose(page, kept, "Tags");
  const dialog = page.getByRole("dialog", { name: "Tags" });
  await dialog.getByRole("textbox", { name: "New tag" }).fill(tag);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: `Remove ${tag}` })).toBeVisible();
  await page.keyboard.press("Escape");

  await sidebar(page).getByRole("button", { name: "Filter chats" }).click();
  await page.getByRole("menuitemradio", { name: `${tag} (1)` }).click();
  await expect(link(page, other)).toBeHidden();
  await expect(link(page, kept)).toBeVisible();
});

test("I delete the session I am in, and Undo brings it back whole", { tags: "long" }, async ({
  page,
}) => {
  const word = newWord();
  const sessionId = await converse(page, `What is a ${word}?`);
  const row = sidebar(page).locator(`[data-session-link="${sessionId}"]`);
  await chooseFor(page, row, "Delete");
  await expect(row).toBeHidden();
  await expect(page).toHaveURL("/");
  await page.getByRole("button", { name: "Undo" }).click();
  await row.click();
  await expect(page.getByRole("article").filter({ hasText: word }).first()).toBeVisible();
});

test("a deletion whose answer got lost is asked again, and an undo that is refused shows no chat", async ({
  page,
  request,
}) => {
  const title = `Lost ${newWord()}`;
  await makeSession(request, title);
  await page.goto("/");
  let asked = 0;
  await page.route("**/api/sessions", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    asked += 1;
    if (asked > 1) return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await choose(page, title, "Delete");
  await expect(page.getByText("Chat deleted")).toBeVisible();
  await page.unroute("**/api/sessions");
  const refused = { error: { code: "session-not-found", message: "It is gone for good." } };
  await page.route("**/api/sessions", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 200, json: { results: [refused] } })
      : route.fallback(),
  );
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("It is gone for good.")).toBeVisible();
  await expect(link(page, title)).toBeHidden();
});

test("the keyboard walks the list and opens what it is on", { tags: "long" }, async ({
  page,
  request,
}) => {
  const [one, two] = [`Walked ${newWord()}`, `Walked ${newWord()}`];
  await makeSession(request, one);
  await makeSession(request, two);
  await page.goto("/");
  await link(page, two).focus();
  await page.keyboard.press("ArrowDown");
  await expect(link(page, one)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(one);
  await say(page, "Are you there?");
  await expect(answers(page)).toHaveCount(1);
});

test("I select several chats, tag, archive and delete them, and each can be undone", {
  tags: "long",
}, async ({ page, request }) => {
  const word = newWord();
  const [three, two, one] = [`${word} 3`, `${word} 2`, `${word} 1`];
  const ids = new Map<string, string>();
  for (const title of [three, two, one]) ids.set(title, await makeSession(request, title));
  await page.goto("/");
  const row = (title: string) => sidebar(page).getByRole("checkbox", { name: title });
  const rows = sidebar(page).locator("[data-session-link]").filter({ hasText: word });
  const bar = sidebar(page).getByRole("region", { name: "Selected chats" });

  // One stop for Tab, and the keys.
  await link(page, one).focus();
  await expect(sidebar(page).locator('[data-session-link]:not([tabindex="-1"])')).toHaveCount(1);
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(bar).toContainText("3 chats");
  await page.keyboard.press("Shift+ArrowUp");
  await expect(bar).toContainText("2 chats");
  await expect(row(two)).toBeFocused();
  await page.keyboard.press("Space");
  await expect(row(two)).not.toBeChecked();
  await expectAccessible(page, "chats that are selected");
  await page.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
  await expect(link(page, two)).toBeFocused();

  // The menu, for touch, and clicks.
  await choose(page, one, "Select");
  await row(three).dispatchEvent("click", { shiftKey: true });
  await expect(bar).toContainText("3 chats");
  await row(two).click();
  await expect(bar).toContainText("2 chats");
  await bar.getByRole("button", { name: "Tags" }).click();
  const dialog = page.getByRole("dialog", { name: "Tags" });
  await dialog.getByRole("textbox", { name: "New tag" }).fill(word);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  const tagsOf = async (title: string) =>
    (await (await request.get(`/api/sessions/${ids.get(title)}`)).json<SessionDetailWire>()).session
      .tags;
  await expect.poll(() => tagsOf(three)).toEqual([word]);
  await expect.poll(() => tagsOf(one)).toEqual([word]);
  expect(await tagsOf(two)).toEqual([]);

  await bar.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("2 chats archived")).toBeVisible();
  await expect(rows).toHaveText([two]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveText([one, two, three]);

  // A chat that another tab took out of the list comes back unselected.
  const archive = (archived: boolean) =>
    request.patch(`/api/sessions/${ids.get(one)}`, { data: { archived } });
  await choose(page, one, "Select");
  await row(two).click();
  await archive(true);
  await expect(bar).toContainText("1 chat");
  await row(three).click();
  await archive(false);
  await expect(rows).toHaveText([one, two, three]);
  await expect(bar).toContainText("2 chats");
  await expect(row(one)).not.toBeChecked();
  await page.keyboard.press("Escape");

  await link(page, one).dispatchEvent("click", { shiftKey: true });
  await row(two).click();
  await page.route("**/api/sessions", (route) => route.abort());
  await bar.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(`Not deleted: “${one}”, “${two}”.`)).toBeVisible();
  await expect(rows).toHaveText([one, two, three]);
});

function choose(page: StoryPage, title: string, action: string): Promise<void> {
  return chooseFor(page, link(page, title), action);
}

/** Chooses from the menu beside a session's link. */
async function chooseFor(page: StoryPage, row: Locator, action: string): Promise<void> {
  await row.hover();
  const line = row.closest("[data-reveal]");
  await line.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

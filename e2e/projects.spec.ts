import { expect, type Page } from "@playwright/test";
import { answered, composer, converse, newWord, say } from "./support/conversation";
import { test } from "./support/test";

function projects(page: Page) {
  return page.getByRole("navigation", { name: "Projects" });
}

/** From the list in view. Returns the address of its page. */
async function makeProject(page: Page, name: string): Promise<string> {
  await projects(page).getByRole("button", { name: "New project" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/p\/p-[^/]+$/);
  await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
  return new URL(page.url()).pathname;
}

test("A project has chats, drafts and memory of its own, and I can have it back", {
  tag: "@essential",
}, async ({ page, request }) => {
  const [mine, its] = [newWord(), newWord()];
  await converse(page, `Tell me about ${mine}`);
  const written = await request.put("/api/blocks/memory", {
    data: { content: `I like ${mine}.`, expectedVersion: 0 },
  });
  expect(written.status(), await written.text()).toBe(200);
  await composer(page).fill("A draft of my own");

  const address = await makeProject(page, "Tea shop");
  const chats = page.getByRole("navigation", { name: "Chats" });
  await expect(composer(page)).toHaveValue("");
  await say(page, `How do I brew ${its}?`);
  await page.waitForURL(new RegExp(`${address}/s/`));
  await answered(page);
  await expect(chats.getByRole("link", { name: new RegExp(its) })).toBeVisible();
  await expect(chats.getByRole("link", { name: new RegExp(mine) })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("article", { name: /^You/ })).toContainText(its);
  await page.getByRole("button", { name: "Memory" }).first().click();
  const memory = page.getByRole("complementary", { name: "Memory, context and tree" });
  await expect(memory).toContainText("About you");
  await expect(memory).not.toContainText(mine);

  await projects(page).getByRole("link", { name: "My chats" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await expect(chats.getByRole("link", { name: new RegExp(its) })).toHaveCount(0);
  await chats.getByRole("link", { name: new RegExp(mine) }).click();
  await expect(composer(page)).toHaveValue("A draft of my own");

  await projects(page).getByRole("link", { name: "Tea shop" }).click();
  await page.getByRole("button", { name: "More of this project" }).click();
  await page.getByRole("menuitem", { name: "Name and icon" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Tea room");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Tea room" })).toBeVisible();
  await page.getByRole("button", { name: "More of this project" }).click();
  await page.getByRole("menuitem", { name: "Delete project" }).click();
  await expect(page.getByText("Project deleted")).toBeVisible();
  await expect(page).toHaveURL("/");
  await expect(projects(page).getByRole("link", { name: "Tea room" })).toHaveCount(0);
  await page.goto(address);
  await expect(page.getByRole("heading", { name: "Project not found" }).first()).toBeVisible();

  await page.goto("/settings?section=deleted");
  await page.getByRole("button", { name: "Restore “Tea room”" }).click();
  await projects(page).getByRole("link", { name: "Tea room" }).click();
  await expect(chats.getByRole("link", { name: new RegExp(its) })).toBeVisible();
});

test("I move selected chats to a project, follow an old address, and move one back", async ({
  page,
}) => {
  const [one, two] = [newWord(), newWord()];
  await converse(page, `Tell me about ${one}`);
  const old = new URL(page.url()).pathname;
  await converse(page, `Tell me about ${two}`);
  const address = await makeProject(page, "Tea shop");
  await projects(page).getByRole("link", { name: "My chats" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  const chats = page.getByRole("navigation", { name: "Chats" });
  const chat = (word: string) => chats.getByRole("link", { name: new RegExp(word) });
  const dialog = page.getByRole("dialog", { name: "Move to…" });

  await chat(two).click({ modifiers: ["Shift"] });
  await chats.getByRole("checkbox", { name: new RegExp(one) }).click();
  const bar = page.getByRole("region", { name: "Selected chats" });
  await expect(bar).toContainText("2 chats");
  await bar.getByRole("button", { name: "Move to…" }).click();
  await expect(dialog).toContainText("Your memory stays yours");
  await dialog.getByRole("button", { name: "Tea shop" }).click();
  await expect(page.getByText("2 chats moved to Tea shop")).toBeVisible();
  await expect(page).toHaveURL("/");
  await expect(chat(one)).toHaveCount(0);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.waitForURL((url) => url.pathname === address);
  await expect(chat(two)).toBeVisible();

  await page.goto(old);
  await page.waitForURL((url) => url.pathname === `${address}${old}`);
  await expect(page.getByRole("article", { name: /^You/ })).toContainText(one);
  await say(page, "And how is it here?");
  await answered(page);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Move to…" }).click();
  await dialog.getByRole("button", { name: "My chats" }).click();
  await expect(page.getByText("Chat moved to My chats")).toBeVisible();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.waitForURL((url) => url.pathname === old);
  await expect(page.getByRole("article", { name: /^You/ })).toHaveCount(2);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("I make a project, chat in it, and Back leads to my chats", async ({ page }) => {
    await page.goto("/");
    const list = page.getByRole("dialog", { name: "Chats and search" });
    await page.getByRole("button", { name: "Chats and search" }).tap();
    const address = await makeProject(page, "Tea shop");
    await expect(page.getByRole("switch", { name: "Use my memory here" })).toBeVisible();
    await say(page, "How hot is the water for green tea?");
    await page.waitForURL(new RegExp(`${address}/s/`));
    await answered(page);
    await page.getByRole("button", { name: "Chats and search" }).tap();
    await expect(list.getByRole("link", { name: "Tea shop" })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await list.getByRole("link", { name: "My chats" }).tap();
    await page.waitForURL((url) => url.pathname === "/");
    await expect(
      page.getByRole("heading", { level: 2, name: "What can I help with?" }),
    ).toBeVisible();
    await page.goBack();
    await page.waitForURL(new RegExp(`${address}/s/`));
    await expect(page.getByRole("article", { name: /^You/ })).toContainText("green tea");
  });
});

test("A project's files are found by page, and a citation opens the page", async ({ page }) => {
  await page.goto("/");
  const address = await makeProject(page, "Orchard");
  await page.getByRole("main").getByRole("link", { name: "Knowledge" }).click();
  const main = page.getByRole("main");
  await main.getByLabel("Add files").setInputFiles("lib/files/fixtures/report.pdf");
  await expect(main.getByRole("button", { name: "report.pdf", exact: true })).toBeVisible();
  await expect(main.getByText(/^PDF · .* · 2 pages/)).toBeVisible();
  await page.goto(address);
  await expect(page.getByRole("link", { name: /^Knowledge\s*1 file$/ })).toBeVisible();
  await say(page, "Call search_files with medlar");
  await page.waitForURL(new RegExp(`${address}/s/`));
  await answered(page);
  await page.getByRole("button", { name: "Open report.pdf, p. 2" }).click();
  const viewer = page.getByRole("dialog", { name: "report.pdf" });
  await expect(viewer.getByRole("region", { name: "Page 2" })).toContainText("37 kilograms");
});

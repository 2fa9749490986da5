import { expect, type Page } from "@playwright/test";
import { startToolServer } from "@/lib/chat/mcp-client/testing/tool-server";
import { makeSession, readTranscript } from "./support/api";
import { answers, begin, newWord } from "./support/conversation";
import { ask } from "./support/session-page";
import { test } from "./support/test";

const rowOf = (page: Page, sessionId: string) =>
  page
    .getByRole("complementary", { name: "Chats and search" })
    .locator(`[data-session-link="${sessionId}"]`);

test("an answer that came while I was elsewhere is marked in every browser, until I read it in one", async ({
  page,
  browser,
  storageState,
}) => {
  const sessionId = await begin(page, `What is a ${newWord()}?`);
  await page.goto("/settings");
  await expect(rowOf(page, sessionId)).toContainText("new answer", { timeout: 30_000 });
  const other = await browser.newContext(storageState === undefined ? {} : { storageState });
  const second = await other.newPage();
  await second.goto("/settings");
  await expect(rowOf(second, sessionId)).toContainText("new answer");
  await rowOf(second, sessionId).click();
  await expect(answers(second)).toHaveCount(1);
  await expect(rowOf(page, sessionId)).not.toContainText("new answer");
  await page.reload();
  await expect(rowOf(page, sessionId)).toBeVisible();
  await expect(rowOf(page, sessionId)).not.toContainText("new answer");
  await other.close();
});

test("a chat whose answer waits for my approval says so in the list, until I decide", {
  tag: "@essential",
}, async ({ page }) => {
  const station = await startToolServer();
  try {
    await page.goto("/settings?section=tools");
    await page.getByRole("button", { name: "Add server" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a server" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Station");
    await dialog.getByRole("textbox", { name: "Address" }).fill(station.url);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await page.goto("/");
    const answer = await ask(page, "Call weather with Rome");
    const sessionId = new URL(page.url()).pathname.replace("/s/", "");
    await expect(rowOf(page, sessionId)).toContainText("needs approval");
    await page.reload();
    await expect(rowOf(page, sessionId)).toContainText("needs approval");
    await answer.getByRole("button", { name: "Approve", exact: true }).click();
    await expect(answer).toContainText("answered: Sunny in Rome");
    await expect(rowOf(page, sessionId)).not.toContainText("needs approval");
  } finally {
    await station.close();
  }
});

test("the tab has the title of the chat from the server, and the new one after I rename it", async ({
  page,
  request,
}) => {
  const title = `The title ${newWord()}`;
  const sessionId = await makeSession(request, title);
  const html = await (await request.get(`/s/${sessionId}`)).text();
  expect(html).toContain(`<title>${title} · Grove</title>`);
  await page.goto(`/s/${sessionId}`);
  await expect(page).toHaveTitle(`${title} · Grove`);
  await request.patch(`/api/sessions/${sessionId}`, { data: { title: "Another" } });
  await expect(page).toHaveTitle("Another · Grove");
  await page.getByRole("link", { name: "New chat", exact: true }).first().click();
  await expect(page).toHaveTitle("Grove");
});

test("an answer that ends while the tab is hidden marks its title and notifies me, if I turned that on", async ({
  page,
  context,
  request,
}) => {
  await page.addInitScript(() => {
    const shown: string[] = [];
    class Recorded {
      static permission = "default";
      static async requestPermission() {
        Recorded.permission = "granted";
        return "granted";
      }
      constructor(title: string, { body }: { body: string }) {
        shown.push(`${title}: ${body}`);
      }
    }
    Object.assign(window, { Notification: Recorded, shown });
  });
  await page.goto("/settings?section=appearance");
  const choice = page.getByRole("switch", { name: "Notify me when an answer is ready" });
  await expect(choice).not.toBeChecked();
  await choice.click();
  await expect(choice).toBeChecked();

  await page.getByRole("link", { name: "New chat", exact: true }).first().click();
  await page.waitForURL(/\/$/);
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Write an endless essay");
  await page.keyboard.press("Enter");
  await expect(answers(page)).toContainText("A walk");
  const sessionId = new URL(page.url()).pathname.replace("/s/", "");
  await setHidden(page, true);
  const { runs } = await readTranscript(request, sessionId);
  const stop = `/api/sessions/${sessionId}/runs/${runs[0]?.id}/stop`;
  expect((await request.post(stop, { data: {} })).status()).toBe(200);
  await expect(page).toHaveTitle(/^● /);
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  expect(await shown()).toEqual([expect.stringMatching(/^Answer ready: ./)]);
  await setHidden(page, false);
  await expect(page).not.toHaveTitle(/^● /);
  expect(context.pages()).toHaveLength(1);
});

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

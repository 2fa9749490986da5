import { expect, type Locator, type Page } from "@playwright/test";

/** Longer than any scripted answer takes on a slow machine. */
const answerTimeoutMs = 45_000;

/** A word that no other test says, nor an earlier run of this one. */
export function newWord(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(5))];
  return bytes.map((byte) => syllableOf(byte)).join("");
}

function syllableOf(byte: number): string {
  return "bcdfghjklmnpqrst".charAt(byte % 16) + "aeio".charAt(Math.floor(byte / 16) % 4);
}

/** The field a message is written in. */
export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message", exact: true });
}

export function conversation(page: Page): Locator {
  return page.getByRole("region", { name: "Conversation" });
}

/** Waits until the page's scripts have taken over the conversation that the server sent. */
export async function isLive(page: Page): Promise<void> {
  await expect(conversation(page)).toBeVisible();
  await expect(conversation(page)).not.toHaveAttribute("aria-busy", "true");
}

export function answers(page: Page): Locator {
  return page.getByRole("article", { name: /^Answer/ });
}

export function questions(page: Page): Locator {
  return page.getByRole("article", { name: /^You/ });
}

/** Writes `text` and sends it with the keys that send on any screen, once the page's scripts are there to do so. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await expect(page.getByRole("button", { name: /^Send( after this answer)?$/ })).toBeEnabled();
  await composer(page).press("Control+Enter");
}

/** Waits until nothing is being written on the path in view and its last answer can be acted on. */
export async function answered(page: Page): Promise<void> {
  const last = answers(page).last();
  await expect(last.getByRole("button", { name: "More actions" })).toBeVisible({
    timeout: answerTimeoutMs,
  });
  await expect(page.getByRole("button", { name: "Stop writing" })).toBeHidden({
    timeout: answerTimeoutMs,
  });
}

/** Begins a session with `question` on the page of a new chat and waits for its page; returns its id. */
export async function begin(page: Page, question: string): Promise<string> {
  await page.goto("/");
  await say(page, question);
  await page.waitForURL(/\/s\//);
  return sessionIdOf(page);
}

/** Begins a session and waits for the whole answer; returns its id. */
export async function converse(page: Page, question: string): Promise<string> {
  const sessionId = await begin(page, question);
  await answered(page);
  return sessionId;
}

export function sessionIdOf(page: Page): string {
  return decodeURIComponent(new URL(page.url()).pathname.replace("/s/", ""));
}

/** The leaf that the address names; `null` when it leaves the choice to the session. */
export function leafOf(page: Page): string | null {
  return new URL(page.url()).searchParams.get("leaf");
}

/** Asks for another answer beside `answer`. */
export async function answerAgain(answer: Locator): Promise<void> {
  await answer.hover();
  await answer.getByRole("button", { name: "Regenerate", exact: true }).click();
}

/** Rewrites `question` in place and finishes with the button named `how`. */
export async function rewrite(
  question: Locator,
  text: string,
  how: "Send" | "Save",
): Promise<void> {
  await question.hover();
  await question.getByRole("button", { name: "Edit", exact: true }).click();
  await question.getByRole("textbox", { name: "Edit your message" }).fill(text);
  await question.getByRole("button", { name: how, exact: true }).click();
}

/** Chooses from the menu behind a message's three dots. */
export async function act(page: Page, message: Locator, action: string): Promise<void> {
  await message.hover();
  await message.getByRole("button", { name: "More actions" }).click();
  const item = page.getByRole("menuitem", { name: action });
  // The first menu of a page is loaded when it opens.
  await item.waitFor();
  // A page that still comes to rest moves a menu that has just opened from under the pointer.
  await expect(async () => {
    if (await item.isVisible()) await item.click({ timeout: 3_000 });
    await expect(item).toBeHidden({ timeout: 3_000 });
  }).toPass();
}

/** The `‹ 2 / 3 ›` of a message. */
export function versions(message: Locator): Locator {
  return message.getByRole("group", { name: /^Version/ });
}

import { expect, type Locator, type Page } from "@playwright/test";
import { act, answers, say } from "./conversation";

/** Longer than any scripted answer takes on a slow machine, its tools included. */
const answeredWithinMs = 30_000;

export type DrawerTab = "Memory" | "Context" | "Tree";

/** Sends a message and waits until its answer is whole; gives that answer. */
export async function ask(page: Page, text: string): Promise<Locator> {
  const before = await answers(page).count();
  await say(page, text);
  await expect(answers(page)).toHaveCount(before + 1);
  const answer = answers(page).nth(before);
  // An answer has actions only once it is stored.
  await expect(answer.getByRole("button", { name: "More actions" })).toBeVisible({
    timeout: answeredWithinMs,
  });
  return answer;
}

/** Begins a session on the page of a new chat; gives its first answer. */
export async function askFirst(page: Page, text: string): Promise<Locator> {
  await page.goto("/");
  return ask(page, text);
}

/** Opens the drawer at a tab, whatever it shows now. */
export async function openDrawer(page: Page, name: DrawerTab): Promise<Locator> {
  // The tab's name has the number of suggestions that wait for a decision, if any.
  const tab = page.getByRole("tab", { name: new RegExp(`^${name}( \\d+ waiting for you)?$`) });
  // A phone has one button for all three.
  const button = page.getByRole("button", {
    name: new RegExp(`^(${name}|Memory, context and tree)(, \\d+ suggestions? waiting)?$`),
  });
  // A drawer that was open before a reload opens a little later, and the button would close it again.
  await expect(async () => {
    if (!(await tab.isVisible())) await button.click({ timeout: 2_000 });
    await expect(tab).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await tab.click();
  return page.getByRole("tabpanel", { name });
}

/** Opens the context with its details. */
export async function openContext(page: Page): Promise<Locator> {
  const context = await openDrawer(page, "Context");
  await context.getByText("Details", { exact: true }).click();
  return context;
}

/** Opens what a model was given for an answer. */
export async function openReceipt(page: Page, answer: Locator): Promise<Locator> {
  await act(page, answer, "Show prompt");
  const receipt = page.getByRole("dialog", { name: "Prompt for this answer" });
  await expect(receipt.getByRole("heading", { name: "System prompt" })).toBeVisible();
  return receipt;
}

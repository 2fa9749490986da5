import { expect } from "vitest";
import { act, answers, say } from "./conversation";
import type { Locator } from "./locator";
import type { StoryPage } from "./story-page";

export type DrawerTab = "Memory" | "Context" | "Tree";

/** Sends a message and waits until its answer is whole; gives that answer. */
export async function ask(page: StoryPage, text: string): Promise<Locator> {
  const before = answers(page).count();
  await say(page, text);
  await expect(answers(page)).toHaveCount(before + 1);
  const answer = answers(page).nth(before);
  // An answer has actions only once it is stored.
  await expect(answer.getByRole("button", { name: "More actions" })).toBeVisible();
  return answer;
}

/** Begins a session on the page of a new chat; gives its first answer. */
export async function askFirst(page: StoryPage, text: string): Promise<Locator> {
  await page.goto("/");
  return ask(page, text);
}

/** Opens the drawer at a tab, whatever it shows now. */
export async function openDrawer(page: StoryPage, name: DrawerTab): Promise<Locator> {
  // A tab also has the number of suggestions that wait for a decision.
  const tab = page.getByRole("tab", { name: new RegExp(`^${name}( \\d+ waiting for you)?$`) });
  // A phone has one button for all three.
  const button = page.getByRole("button", {
    name: new RegExp(`^(${name}|Memory, context and tree)(, \\d+ suggestions? waiting)?$`),
  });
  await button.or(tab).first().waitFor();
  if (!tab.isVisible()) await button.click();
  await tab.click();
  return page.getByRole("tabpanel", { name });
}

/** Opens the context with its details, which stay as they were when the tab was left. */
export async function openContext(page: StoryPage): Promise<Locator> {
  const context = await openDrawer(page, "Context");
  const details = context.getByText("Details", { exact: true });
  await details.waitFor();
  if (!context.getByRole("heading", { name: "Summaries" }).isVisible()) await details.click();
  return context;
}

/** Sends changes of the memory with the next message already; opens the context for it. */
export async function updatePrompt(page: StoryPage): Promise<Locator> {
  const context = await openContext(page);
  await context.getByRole("button", { name: "Update" }).click();
  await expect(context.getByText("not in the prompt yet")).toHaveCount(0);
  return context;
}

/** Opens a line of the memory. */
export async function openLine(
  panel: Locator,
  title: "Instructions" | "Knowledge" | "Skills",
): Promise<void> {
  await panel.locator("summary", { hasText: new RegExp(`^${title}`) }).click();
}

/** Opens what a model was given for an answer. */
export async function openReceipt(page: StoryPage, answer: Locator): Promise<Locator> {
  await act(page, answer, "Show prompt");
  const receipt = page.getByRole("dialog", { name: "Prompt for this answer" });
  await expect(receipt.getByRole("heading", { name: "System prompt" })).toBeVisible();
  return receipt;
}

/** Opens the palette from the keyboard; gives its field. */
export async function openPalette(page: StoryPage): Promise<Locator> {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search and commands" });
  await field.waitFor();
  return field;
}

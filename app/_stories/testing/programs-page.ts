import type { StoryPage } from "./story-page";

/** Creates the key of a dialog that is filled in. */
export async function secretOf(page: StoryPage, name: string): Promise<string> {
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByRole("button", { name: "Create" }).click();
  const shown = page.getByRole("dialog", { name: `The key of ${name}` });
  const secret = await shown.locator("code").first().innerText();
  await shown.getByRole("button", { name: "Done" }).click();
  return secret;
}

import type { LLMock } from "@copilotkit/aimock";
import { expect, type Page } from "@playwright/test";
import { answers, say } from "./support/conversation";
import { greeting, questions, startModelServer } from "./support/model-server";
import { addProvider, chooseDefaultModel } from "./support/settings-page";
import { test } from "./support/test";

const key = "sk-end-to-end-1234567890-WXYZ";

test.describe("A provider's key", () => {
  test("stays on the server, and goes to no other address", { tag: "@essential" }, async ({
    page,
  }) => {
    const leaks = watchForKey(page);
    const [first, second] = await Promise.all([
      startModelServer({ models: ["house-model"] }),
      startModelServer({ models: ["house-model"] }),
    ]);
    try {
      await addProvider(page, {
        kind: "OpenAI-compatible",
        baseUrl: `${first.url}/v1`,
        key,
        name: "House",
      });
      await expect(page.getByText("Key ends in WXYZ", { exact: false })).toBeVisible();
      await expect(page.getByText("sk-end", { exact: false })).toHaveCount(0);

      await page.getByRole("button", { name: "Actions for House" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      const dialog = page.getByRole("dialog", { name: "Edit House" });
      await expect(dialog.getByRole("textbox", { name: "Key" })).toHaveValue("");
      await dialog.getByRole("textbox", { name: "Base URL" }).fill(`${second.url}/v1`);
      await expect(dialog).toContainText("A stored key is never sent to a new URL");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText(/^No key · /)).toBeVisible();

      await chooseDefaultModel(page, /house-model/);
      await page.goto("/");
      await say(page, questions.greeting);
      await expect(answers(page).last()).toContainText(greeting);
      expect(second.getRequests().length).toBeGreaterThan(0);
      expect(wereGivenKey(second)).toBe(false);
      expect(await leaks()).toEqual([]);
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });
});

/** True when a request came with a key; the server does not record the key. */
function wereGivenKey(server: LLMock): boolean {
  return server.getRequests().some(({ headers }) => "authorization" in headers);
}

/** Reads everything the page is sent from now on; gives the addresses of the answers that hold the key. */
function watchForKey(page: Page): () => Promise<string[]> {
  const found: Promise<string | null>[] = [];
  page.on("response", (response) => {
    // A stream has no body to read before it ends, and the page may have left it by then.
    const isStream = response.headers()["content-type"]?.startsWith("text/event-stream");
    if (isStream) return;
    const holdsKey = response.text().then(
      (text) => (text.includes(key) ? response.url() : null),
      () => null,
    );
    found.push(holdsKey);
  });
  return async () => (await Promise.all(found)).filter((url) => url !== null);
}

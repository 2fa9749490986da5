import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { composer } from "./support/conversation";
import { test } from "./support/test";

/** An engine whose words the story chooses. */
function fakeEngine(): void {
  class Engine {
    onresult: ((event: unknown) => void) | null = null;
    onerror: ((event: unknown) => void) | null = null;
    onend: (() => void) | null = null;
    start() {
      Object.assign(window, { engine: this });
    }
    stop() {
      this.onend?.();
    }
    abort() {
      this.onend?.();
    }
  }
  Object.assign(window, { SpeechRecognition: Engine, webkitSpeechRecognition: Engine });
}

interface Engine {
  onresult(event: unknown): void;
  onerror(event: unknown): void;
  onend(): void;
}

function hear(page: Page, transcript: string, isFinal: boolean): Promise<void> {
  return page.evaluate(
    ([words, final]) => {
      const { engine } = window as unknown as { engine: Engine };
      const results = [Object.assign([{ transcript: words }], { isFinal: final })];
      engine.onresult({ resultIndex: 0, results });
    },
    [transcript, isFinal] as const,
  );
}

test("I dictate at the cursor, once I know that my browser may send what I say", {
  tag: "@essential",
}, async ({ page }) => {
  await page.addInitScript(fakeEngine);
  await page.goto("/");
  await composer(page).fill("one three");
  await page.getByRole("button", { name: "Dictate" }).click();
  const consent = page.getByRole("dialog", { name: "Dictate with your browser?" });
  await expect(consent).toContainText("may send what you say to its maker");
  await expectAccessible(page, "the question before dictation");
  await consent.getByRole("button", { name: "Cancel" }).click();
  // Until it has faded out its button has the same name as the one it came from.
  await expect(consent).toBeHidden();
  await expect(page.getByText("Listening…")).toBeHidden();

  await page.getByRole("button", { name: "Dictate" }).click();
  await consent.getByRole("button", { name: "Dictate" }).click();
  await expect(page.getByText("Listening…")).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await composer(page).press("Home");
  for (let step = 0; step < 3; step += 1) await composer(page).press("ArrowRight");
  await hear(page, "to", false);
  await expect(page.getByText("to", { exact: true })).toBeVisible();
  await expect(composer(page)).toHaveValue("one three");
  await hear(page, "two", true);
  await expect(composer(page)).toHaveValue("one two three");
  await page.getByRole("button", { name: "Stop dictating" }).click();
  await expect(page.getByText("Listening…")).toBeHidden();

  await page.reload();
  await page.getByRole("button", { name: "Dictate" }).click();
  await expect(page.getByText("Listening…")).toBeVisible();
  await expect(consent).toBeHidden();
});

test("A refused microphone is a sentence, and typing goes on", async ({ page }) => {
  await page.addInitScript(fakeEngine);
  await page.goto("/");
  await page.getByRole("button", { name: "Dictate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Dictate" }).click();
  await expect(page.getByText("Listening…")).toBeVisible();
  await page.evaluate(() => {
    const { engine } = window as unknown as { engine: Engine };
    engine.onerror({ error: "not-allowed" });
    engine.onend();
  });
  await expect(page.getByText("Your browser refused the microphone.")).toBeVisible();
  await composer(page).fill("Typed instead");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
});

test("A browser without speech recognition shows no button", async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ["SpeechRecognition", "webkitSpeechRecognition"])
      Object.defineProperty(window, name, { value: undefined });
  });
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Attach files" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("button", { name: "Dictate" })).toHaveCount(0);
});

import { expect } from "@playwright/test";
import { act, answers, converse, say } from "./support/conversation";
import { test } from "./support/test";

/** Records what is spoken, with two voices: one of the device, one that sends texts away. */
function recordSpeech(): void {
  const spoken: { text: string; voice: string; end: () => void }[] = [];
  const voices = [
    { name: "Remote", lang: "en-US", default: true, localService: false },
    { name: "Local", lang: "en-US", default: false, localService: true },
  ];
  class Utterance {
    voice = { name: "" };
    onend = () => undefined;
    constructor(readonly text: string) {}
  }
  const speech = {
    getVoices: () => voices,
    cancel: () => undefined,
    addEventListener: () => undefined,
    speak: (utterance: Utterance) =>
      spoken.push({ text: utterance.text, voice: utterance.voice.name, end: utterance.onend }),
  };
  Object.assign(window, { spoken });
  Object.defineProperty(window, "speechSynthesis", { value: speech });
  Object.defineProperty(window, "SpeechSynthesisUtterance", { value: Utterance });
}

test("A device without a voice says so, and I go on", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window.speechSynthesis, "getVoices", { value: () => [] });
  });
  await converse(page, "Please greet me");
  await act(page, answers(page).first(), "Read aloud");
  await expect(page.getByText("This device has no voice of its own")).toBeVisible();
  await say(page, "And without a voice?");
  await expect(answers(page)).toHaveCount(2);
});

test("I have an answer read aloud by a voice of my device, and stop it", {
  tag: "@essential",
}, async ({ page }) => {
  await page.addInitScript(recordSpeech);
  await converse(page, "Please greet me");
  const answer = answers(page).first();
  await act(page, answer, "Read aloud");
  const voices = () =>
    page.evaluate(() => [
      ...new Set(
        (window as unknown as { spoken: { voice: string }[] }).spoken.map(({ voice }) => voice),
      ),
    ]);
  await expect.poll(voices).toEqual(["Local"]);
  await act(page, answer, "Stop reading");
  await answer.hover();
  await answer.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Read aloud" })).toBeVisible();
});

import { expect, type Locator } from "@playwright/test";
import { ask, askFirst, openContext, openReceipt } from "./support/session-page";
import { test } from "./support/test";

test.describe("The context gauge", () => {
  test("says what fills the window, and agrees with what the model was given", async ({ page }) => {
    await askFirst(page, "What can you do?");
    const context = await openContext(page);
    const before = await readGauge(context);
    expect(before.total).toBe(before.prompt + before.tools + before.messages);
    expect(before.window).toBe(8_000);
    expect(before.free).toBe(before.window - before.total);
    const share = `${Math.round((100 * before.total) / before.window)}%`;
    await expect(context.getByText(share, { exact: true }).first()).toBeVisible();

    const answer = await ask(page, "Tell me more about branches");
    const receipt = await openReceipt(page, answer);
    const tokensOf = async (name: string) =>
      numberIn(await receipt.getByRole("heading", { name }).innerText());
    const given = { prompt: await tokensOf("System prompt"), tools: await tokensOf("Tools") };
    await page.keyboard.press("Escape");
    // The gauge takes the model's count of this answer a moment after the answer is stored.
    await expect.poll(() => readGauge(context)).toMatchObject(given);
    const after = await readGauge(context);
    expect(after.messages).toBeGreaterThan(before.messages);
    // The model's count per token varies a little between turns.
    expect(Math.abs(after.prompt - before.prompt)).toBeLessThan(0.1 * before.prompt);
  });
});

async function readGauge(context: Locator) {
  const words = await context.getByText(/^[\d,]+ of [\d,]+ tokens$/).innerText();
  const [total = Number.NaN, window = Number.NaN] = words.split(" of ").map(numberIn);
  const amountOf = async (name: string) =>
    numberIn(
      (await context.getByRole("listitem").filter({ hasText: name }).innerText()).slice(
        name.length,
      ),
    );
  return {
    total,
    window,
    prompt: await amountOf("Prompt"),
    tools: await amountOf("Tools"),
    messages: await amountOf("Messages"),
    free: await amountOf("Free"),
  };
}

/** The first number in a text, thousands set apart by commas. */
function numberIn(text: string): number {
  return Number(/[\d,]+/.exec(text)?.[0].replaceAll(",", ""));
}

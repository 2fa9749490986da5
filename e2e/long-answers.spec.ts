import { expect } from "@playwright/test";
import { answers } from "./support/conversation";
import { importAnswer } from "./support/import-answer";
import { test } from "./support/test";

const words = "words of an item, as many as a line has, and a few more";
const heavy = "**a** ".repeat(1_200);

for (const count of [120, 500]) {
  test(`A list of ${count} items is formatted and numbered, and only what is too heavy waits for me`, {
    tag: count === 120 ? ["@essential"] : [],
  }, async ({ page, request }) => {
    const items = Array.from({ length: count }, (_, at) => `1. Item ${at + 1}: ${words}\n\n`);
    const text = `## Heading\n\n${items.join("")}${heavy}\n\nThat was all.`;
    await page.setViewportSize({ width: 1_200, height: 20_000 });
    await page.goto(`/s/${await importAnswer(request, text)}`);
    const answer = answers(page);
    await expect(answer.getByText("That was all.")).toBeVisible();
    await expect(answer.locator("[data-waiting]")).toHaveCount(0);
    await expect(answer.getByRole("heading", { name: "Heading" })).toBeVisible();
    await expect(answer.locator("li")).toHaveCount(count);
    const numbers = () =>
      answer.locator("ol").evaluateAll((lists) =>
        lists.flatMap((list) => {
          const start = list instanceof HTMLOListElement ? list.start : 0;
          return [...list.children].map((item, at) => `${start + at} ${item.textContent?.trim()}`);
        }),
      );
    // Rows of the document give way to those of the page.
    await expect.poll(numbers).toEqual(items.map((_, at) => `${at + 1} Item ${at + 1}: ${words}`));

    await expect(answer.getByText("**a** **a**").first()).toBeVisible();
    await answer.getByRole("button", { name: "Format anyway" }).click();
    await expect(answer.locator("strong")).toHaveCount(1_200);
    await expect(answer.getByText("**a** **a**")).toHaveCount(0);
  });
}

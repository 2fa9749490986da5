import { expect } from "@playwright/test";
import { answers, composer, questions } from "./support/conversation";
import { test } from "./support/test";

test("I choose text size, reading width and the key that sends; this device keeps them from the first paint on", {
  tag: "@essential",
}, async ({ page }) => {
  await page.goto("/settings?section=appearance");
  await page.getByRole("radio", { name: "Larger" }).click();
  await page.getByRole("radio", { name: "Wide" }).click();
  await page.getByRole("radio", { name: "Ctrl + Enter" }).click();
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.locator("html[data-text-size=larger][data-width=wide]")).toBeAttached();
  await composer(page).fill("First line");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
  await composer(page).press("Enter");
  await page.keyboard.type("Second line");
  await expect(composer(page)).toHaveValue("First line\nSecond line");
  await composer(page).press("Control+Enter");
  await expect(questions(page)).toContainText("Second line");
  await expect(answers(page)).toHaveCount(1);
  const size = await questions(page)
    .getByText("Second line")
    .evaluate((line) => getComputedStyle(line).fontSize);
  expect(size).toBe("20px");
});

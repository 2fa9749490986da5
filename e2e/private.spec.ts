import { expect } from "@playwright/test";
import { answered, converse, say } from "./support/conversation";
import { test } from "./support/test";

test("nothing is loaded from anywhere but this machine", { tag: "@essential" }, async ({
  page,
  baseURL,
}) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    const isInside = origin === baseURL || protocol === "data:" || protocol === "blob:";
    if (!isInside) elsewhere.push(request.url());
  });
  await converse(page, "Show me some code and a formula");
  await say(page, "A branch ![picture](https://pictures.example/a.png)");
  await answered(page);
  await page.goto("/settings");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(elsewhere).toEqual([]);
});

import { expect } from "@playwright/test";
import {
  answerAgain,
  answered,
  answers,
  converse,
  leafOf,
  questions,
  rewrite,
  versions,
} from "./support/conversation";
import { test } from "./support/test";

test("another answer stands beside the first, and I walk between them", {
  tag: "@essential",
}, async ({ page }) => {
  await converse(page, "How does a branch of the elm grow?");
  const first = await answers(page).innerText();
  await answerAgain(answers(page));
  await expect(versions(answers(page))).toHaveText("2 / 2");
  const whileWritten = page.url();
  await answered(page);
  const second = await answers(page).innerText();
  expect(second).not.toBe(first);

  const switcher = versions(answers(page));
  await switcher.getByRole("button", { name: "Previous version" }).click();
  await expect(switcher).toHaveText("1 / 2");
  const leafOfFirst = leafOf(page);
  await switcher.getByRole("button", { name: "Next version" }).press("ArrowRight");
  await expect(switcher).toHaveText("2 / 2");
  expect(leafOf(page)).not.toBe(leafOfFirst);
  await switcher.getByRole("button", { name: "Previous version" }).press("ArrowLeft");
  await expect(switcher).toHaveText("1 / 2");

  await page.goBack();
  await expect(switcher).toHaveText("2 / 2");
  await page.goto(whileWritten);
  await expect(switcher).toHaveText("2 / 2");
});

test("Back at once after a change of branch returns to the one that was left", async ({ page }) => {
  await converse(page, "How far does a branch of the fir reach?");
  await answerAgain(answers(page));
  await answered(page);
  const switcher = versions(answers(page));
  await switcher.getByRole("button", { name: "Previous version" }).click();
  await expect(switcher).toHaveText("1 / 2");
  const wentBack = page.evaluate(() => {
    const push = history.pushState.bind(history);
    history.pushState = (...given) => {
      push(...given);
      history.back();
    };
    return new Promise((done) => addEventListener("popstate", done, { once: true })).then(() => 1);
  });
  await switcher.getByRole("button", { name: "Next version" }).click();
  await wentBack;
  await expect(switcher).toHaveText("1 / 2");
});

test("a question that I rewrite keeps its distance from the answer", async ({ page }) => {
  await converse(page, "How wide is a branch of the oak?");
  await questions(page).hover();
  await questions(page).getByRole("button", { name: "Edit", exact: true }).click();
  const cancel = questions(page).getByRole("button", { name: "Cancel" });
  await expect(cancel).toBeVisible();
  const [editing, below] = [await cancel.boundingBox(), await answers(page).boundingBox()];
  const gap = (below?.y ?? 0) - (editing?.y ?? 0) - (editing?.height ?? 0);
  expect(gap).toBeGreaterThan(32);
});

test("the address holds the path I look at, for a reload and for another browser", async ({
  page,
  browser,
}) => {
  await converse(page, "Which branch of the hazel flowers?");
  await answerAgain(answers(page));
  await answered(page);
  await versions(answers(page)).getByRole("button", { name: "Previous version" }).click();
  await expect(versions(answers(page))).toHaveText("1 / 2");
  await expect.poll(() => leafOf(page)).not.toBeNull();
  const shown = await answers(page).innerText();

  await page.reload();
  await expect(versions(answers(page))).toHaveText("1 / 2");
  await expect.poll(() => answers(page).innerText()).toBe(shown);

  const elsewhere = await browser.newContext();
  try {
    const visitor = await elsewhere.newPage();
    await visitor.goto(page.url());
    await expect(versions(answers(visitor))).toHaveText("1 / 2");
    // The path seen last is also where the session opens without a link.
    await visitor.goto(new URL(page.url()).pathname);
    await expect(versions(answers(visitor))).toHaveText("1 / 2");
  } finally {
    await elsewhere.close();
  }
});

test("a reload after Back shows the branch that Back returned to", async ({ page }) => {
  await converse(page, "Which branch of the birch hangs?");
  await answerAgain(answers(page));
  await answered(page);
  const switcher = versions(answers(page));
  await switcher.getByRole("button", { name: "Previous version" }).click();
  await expect(switcher).toHaveText("1 / 2");
  await page.goBack();
  await expect(switcher).toHaveText("2 / 2");
  await page.reload();
  await expect(page.getByRole("region", { name: "Conversation" })).not.toHaveAttribute("aria-busy");
  await expect(switcher).toHaveText("2 / 2");
});

test("Back returns to the branch I left, whichever way I left it", async ({ page }) => {
  const sessionId = await converse(page, "What does a branch of the alder carry?");
  await answerAgain(answers(page));
  await expect(versions(answers(page))).toHaveText("2 / 2");
  await answered(page);
  await page.goBack();
  await expect(versions(answers(page))).toHaveText("1 / 2");

  // An address without a leaf opens the branch used last, which is no longer the one that is left.
  await page.goto(`/s/${sessionId}`);
  const first = versions(answers(page));
  await expect(first).toHaveText("2 / 2");
  await first.getByRole("button", { name: "Previous version" }).click();
  await expect(first).toHaveText("1 / 2");
  await page.goBack();
  await expect(first).toHaveText("2 / 2");
  expect(new URL(page.url()).pathname).toBe(`/s/${sessionId}`);

  await rewrite(questions(page), "Show me a table of alders", "Send");
  await expect(versions(questions(page))).toHaveText("2 / 2");
  await answered(page);
  await page.goBack();
  await expect(versions(questions(page))).toHaveText("1 / 2");
  await expect(versions(answers(page))).toHaveText("2 / 2");
});

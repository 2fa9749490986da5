import { expect } from "vitest";
import { makeSession, store } from "./testing/api";
import { converse, newWord, questions } from "./testing/conversation";
import { openPalette } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

test("search forgives a typing error", { tags: "long" }, async ({ page }) => {
  const word = newWord();
  await converse(page, `Is a branch of ${word} crooked?`);
  const [first, second, third, fourth, ...rest] = word;
  await search(page, [first, second, fourth, third, ...rest].join(""));
  await expect(page.getByRole("option", { name: /^You .* crooked/ })).toContainText(word);
});

test("a filter that is none is said and left out, and the rest is looked for", {
  tags: "long",
}, async ({ page, request }) => {
  const word = newWord();
  await store(request, await makeSession(request, "Pots"), `Is the ${word} in the pot?`);
  await page.goto("/");
  await search(page, `before:yesterday ${word}`);
  await expect(
    page.getByText("“yesterday” is not a date and was ignored. Write it like before:2026-01-31."),
  ).toBeVisible();
  await expect(page.getByRole("option", { name: /^You / })).toContainText("in the pot");
});

test("a minus alone says what it needs", { tags: "long" }, async ({ page }) => {
  await page.goto("/");
  await search(page, "-tomato");
  await expect(page.getByText("A minus only excludes. Add a word to search")).toBeVisible();
  await expect(page.getByText("Try fewer or different words")).toBeHidden();
});

test("memory is left out where only messages by somebody are asked for", { tags: "long" }, async ({
  page,
  request,
}) => {
  const word = newWord();
  const entry = { title: `All about ${word}`, content: "Sow it in May." };
  const added = await request.post("/api/blocks/knowledge/entries", { data: entry });
  expect(added.status()).toBe(201);
  await store(request, await makeSession(request, "Herbs"), `When do I sow ${word}?`);
  await page.goto("/");
  const memory = page.getByRole("option", { name: new RegExp(`All about ${word}`) });
  await search(page, word);
  await expect(memory).toBeVisible();
  await search(page, `role:user ${word}`);
  await expect(page.getByRole("option", { name: /^You / })).toContainText("When do I sow");
  await expect(memory).toHaveCount(0);
});

test("I search in one session by its title", { tags: "long" }, async ({ page, request }) => {
  const [word, title] = [newWord(), newWord()];
  const wanted = await makeSession(request, `Jars of ${title}`);
  await store(request, wanted, `Is the ${word} in a jar?`);
  await store(request, await makeSession(request, "Bottles"), `Is the ${word} in a bottle?`);
  await page.goto("/");
  const hits = page.getByRole("option", { name: /^You / });
  await search(page, word);
  await expect(hits).toHaveCount(2);
  for (const name of [title, `"jars of ${title}"`, wanted]) {
    await search(page, `${word} in:${name}`);
    await expect(hits).toHaveCount(1);
    await expect(hits).toContainText("in a jar");
  }
  await search(page, `${word} in:nowhere`);
  await expect(page.getByText("No chat has “nowhere” as its id or in its title.")).toBeVisible();
  await expect(hits).toHaveCount(0);
});

test("what I look for is marked in titles of entries, and in a word longer than a line", async ({
  page,
  request,
}) => {
  const word = newWord();
  const title = `About ${word}`;
  const entry = { title, content: "Nothing of it in here." };
  const added = await request.post("/api/blocks/knowledge/entries", { data: entry });
  expect(added.status()).toBe(201);
  const endless = `${word}${"branching".repeat(60)}`;
  await store(request, await makeSession(request, "Endless"), `What is ${endless} for?`);
  await page.goto("/");
  await search(page, word);
  const option = (name: string) => page.getByRole("option").filter({ hasText: name });
  await expect(option(title).locator("mark")).toHaveText([word]);
  await expect(option("What is").locator("mark")).toHaveText([new RegExp(`^${word}branching`)]);
});

test("I walk the hits of a search with n and N, and Esc brings me back", { tags: "long" }, async ({
  page,
  request,
}) => {
  const word = newWord();
  const round = await makeSession(request, "Round things");
  await store(request, round, `Is a ${word} round?`);
  const square = await makeSession(request, "Square things");
  await store(request, square, `Is a ${word} square?`);
  await page.goto("/settings?section=data");
  await search(page, word);
  const hits = page.getByRole("option", { name: /^You / });
  await expect(hits).toHaveCount(2);
  await hits.filter({ hasText: "square" }).click();
  await page.waitForURL(`**/s/${square}?*`);
  const bar = page.getByRole("region", { name: "Search hits" });
  await expect(bar).toContainText(/[12] of 2/);
  await expect.poll(() => foundWords()).toEqual([word]);
  const first = await bar.getByRole("status").textContent();

  await page.keyboard.press("n");
  await page.waitForURL(`**/s/${round}?*`);
  await expect(questions(page)).toContainText(`Is a ${word} round?`);
  await expect(bar.getByRole("status")).toHaveText(first === "1 of 2" ? "2 of 2" : "1 of 2");
  await page.keyboard.press("Shift+N");
  await page.waitForURL(`**/s/${square}?*`);
  await expect(questions(page)).toContainText(`Is a ${word} square?`);
  await expect(bar.getByRole("status")).toHaveText(first ?? "");
  // Around the end: two steps on is where one was.
  await page.keyboard.press("n");
  await page.waitForURL(`**/s/${round}?*`);
  await page.keyboard.press("n");
  await page.waitForURL(`**/s/${square}?*`);

  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/settings\?section=data$/);
  await expect(bar).toBeHidden();
  expect(foundWords()).toEqual([]);
});

/** The words of the transcript that are marked. */
function foundWords(): string[] {
  const ranges = [...(CSS.highlights.get("found-words") ?? [])];
  return ranges.map(({ startContainer, startOffset, endOffset }) =>
    (startContainer.textContent ?? "").slice(startOffset, endOffset),
  );
}

async function search(page: StoryPage, words: string): Promise<void> {
  await (await openPalette(page)).fill(words);
}

import { describe, expect } from "vitest";
import { answers, versions } from "./testing/conversation";
import { isShown } from "./testing/is-shown";
import { askFirst, openDrawer } from "./testing/session-page";
import { test } from "./testing/test";

const mostControls = 22;
const mostWords = 20;

/** Nouns of docs/glossary.md, words shown only to those who ask, and those that other names have replaced. */
const wordsToExplain = [
  "chat|project|assistant|model|memory|instructions|task|knowledge|skill|prompt|file|answer|version",
  "branch|tree|bookmark|summary|context|share|tag|token|parameter|receipt|fork|provider|effort",
  "MCP|API key|system prompt|server|cache|block|section|preset|program|session|leaf|compaction",
  "pin|label|verbatim|pending|window|gauge|soul|todo|sibling|carry over|temporary|archive",
]
  .join("|")
  .split("|");

describe("The first five minutes", () => {
  test("a chat at rest has few controls", async ({ page }) => {
    await askFirst(page, "What can you do?");
    const atRest = [...document.querySelectorAll(controls)].filter(
      (each) => isShown(each) && !each.closest(notAtRest),
    );
    const names = atRest.map((each) => each.getAttribute("aria-label") ?? each.textContent);
    expect(atRest.length, names.join("\n")).toBeGreaterThan(10);
    expect(atRest.length, names.join("\n")).toBeLessThanOrEqual(mostControls);
  });

  test("they need few words that have to be explained", { tags: "long" }, async ({ page }) => {
    const met = new Set<string>();
    const read = () => {
      for (const word of wordsIn(shownText())) met.add(word);
    };
    await page.goto("/");
    await expect(page.getByRole("list", { name: "Suggestions" })).toBeVisible();
    read();
    const answer = await askFirst(page, "Hello");
    read();
    await answer.getByRole("button", { name: "Regenerate" }).click();
    await expect(versions(answers(page))).toContainText("2 / 2");
    read();
    await answers(page).getByRole("button", { name: "More actions" }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    read();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Model:/ }).click();
    await expect(page.getByRole("combobox", { name: "Search models" })).toBeVisible();
    read();
    await page.keyboard.press("Escape");
    await expect(await openDrawer(page, "Memory")).toContainText("About you");
    read();
    await page.goto("/settings");
    await expect(page.getByRole("link", { name: "Personalization" })).toBeVisible();
    read();
    expect(met.size, [...met].join(", ")).toBeGreaterThan(5);
    expect(met.size, [...met].join(", ")).toBeLessThanOrEqual(mostWords);
  });
});

const controls =
  "a[href], button, input, textarea, select, [role=switch], [role=tab], [role=combobox]";

/** Chats are what a person came for, and some buttons appear under the pointer. */
const notAtRest =
  "[data-session-link], .reveal-on-hover, .reveal-beside, .sr-only, [aria-hidden=true]";

/** Without what the person and the model wrote. */
function shownText(): string {
  const texts: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement } = node;
    if (parentElement && isShown(parentElement) && !parentElement.closest(notWords))
      texts.push(node.textContent ?? "");
  }
  for (const named of document.querySelectorAll("[aria-label], [placeholder]"))
    if (isShown(named) && !named.closest(notWords))
      texts.push(named.getAttribute("aria-label") ?? "", named.getAttribute("placeholder") ?? "");
  return texts.join("\n");
}

const notWords = "script, style, .prose, .sr-only, [data-session-link], textarea";

function wordsIn(text: string): string[] {
  return wordsToExplain.filter((word) =>
    new RegExp(`\\b${word.replace(/y$/, "(y|ie)")}s?\\b`, "i").test(text),
  );
}

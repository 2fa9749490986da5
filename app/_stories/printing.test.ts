import { readFileSync } from "node:fs";
import { expect, vi } from "vitest";
import { importTurns } from "./testing/api";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const rows = Array.from({ length: 60 }, (_, row) => `| row ${row} | ${row * 2} |`);
const table = ["| name | twice |", "| - | - |", ...rows].join("\n");
const longQuestion = `${"Many words. ".repeat(600)}The end of the question.`;
const longAnswer = `${`${"A paragraph of words. ".repeat(60)}\n\n`.repeat(10)}The end of the answer.`;

const part = (text: string) => ({ type: "text", text });

/** The selector of all that the sheet frees of limits to its height. */
function unlimitedOnPaper(): string {
  const sheet = readFileSync("app/styles/paper.css", "utf8");
  return /\.paper (:is\([^{]*\)) \{[^}]*max-height: none !important;/.exec(sheet)?.[1] ?? "";
}

/** Chooses to print, and returns what the browser would print. */
async function printed(page: StoryPage, sessionId: string): Promise<HTMLElement> {
  await page.goto(`/s/${sessionId}`);
  const print = vi.fn(() => document.querySelector<HTMLElement>(".paper")?.cloneNode(true));
  Object.assign(window, { print });
  await page.getByRole("button", { name: "Actions for Apples & pears" }).last().click();
  await page.getByRole("menuitem", { name: "Print or save as PDF" }).click();
  await vi.waitFor(() => expect(print).toHaveBeenCalledOnce(), { timeout: 30_000 });
  window.dispatchEvent(new Event("afterprint"));
  await vi.waitFor(() => expect(document.querySelector(".paper")).toBeNull());
  return print.mock.results[0]?.value as HTMLElement;
}

test("I print every message of a chat, whole, from its menu", async ({ page, request }) => {
  const turns = ["First?", "Yes."];
  const id = await importTurns(request, [...turns, longQuestion, table, "More?", longAnswer]);
  const paper = await printed(page, id);
  const text = paper.textContent ?? "";
  expect(paper.querySelector("h1")?.textContent).toBe("Apples & pears");
  expect(text).toContain("Nov 2, 2026");
  expect(turns.filter((turn) => !text.includes(turn))).toEqual([]);
  expect(text).toContain("The end of the question.");
  expect(text).toContain("row 0");
  expect(text).toContain("row 59");
  expect(text.split("A paragraph of words.").length - 1).toBe(600);
  expect(text).toContain("The end of the answer.");
  const names = [...paper.querySelectorAll("button")].map((each) => each.className);
  expect(names.filter((name) => !/print:hidden|table-sort/.test(name))).toEqual([]);
});

test("I print what is summarized, folded or beside other answers on the screen", {
  tags: "long",
}, async ({ page, request }) => {
  const [answerId, otherId] = [crypto.randomUUID(), crypto.randomUUID()];
  const together = [
    { model: "house/one", answerId },
    { model: "house/two", answerId: otherId },
  ];
  const texts = [
    "Summarized question?",
    "Summarized answer.",
    "<system-note>In the block.</system-note>Kept?",
  ];
  const own = ["A note:", "Which of you?", "The answer of one.", "The answer of two."];
  const id = await importTurns(request, [...texts, ...own], {
    changed: (idOf) => ({
      3: {
        role: "user",
        content: {
          parts: [part("A note:"), part("Carried words.")],
          metadata: { note: { kind: "messages", from: idOf(0) } },
        },
      },
      4: { content: { parts: [part("Which of you?")], metadata: { together } } },
      5: { id: answerId },
      6: { id: otherId, parentId: idOf(4), role: "assistant" },
    }),
    summaries: (idOf) => [
      { summary: "The summary of two.", fromMessageId: idOf(0), toMessageId: idOf(1) },
    ],
    leaves: [answerId, otherId],
  });
  const paper = await printed(page, id);
  const inOrder = [
    "Messages 1–2 summarized",
    "The summary of two.",
    "Summarized question?",
    "Summarized answer.",
    "In the block.",
    "Carried words.",
    "Which of you?",
    "The answer of one.",
    "The answer of two.",
  ];
  const found = new RegExp(inOrder.join("|").replaceAll("?", "\\?"), "g");
  expect(paper.textContent?.match(found)).toEqual(inOrder);
  const isLimited = '[class*="max-h-"], [class*="line-clamp"], [class*="overflow-"]';
  const limited = [...paper.querySelectorAll(isLimited)];
  expect(limited.map((each) => each.getAttribute("aria-label"))).toContain("Carried-over context");
  expect(limited.filter((each) => !each.matches(unlimitedOnPaper()))).toEqual([]);
});

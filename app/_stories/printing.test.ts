import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import { type StoryRequest, test } from "./testing/test";

const rows = Array.from({ length: 120 }, (_, row) => `| row ${row} | ${row * 2} |`);
const table = ["| name | twice |", "| - | - |", ...rows].join("\n");
const longQuestion = `${"Many words. ".repeat(600)}The end of the question.`;
const longAnswer = `${`${"A paragraph of words. ".repeat(60)}\n\n`.repeat(20)}The end of the answer.`;

/** Imports a chat that takes turns, and returns its id. */
async function importTurns(request: StoryRequest, texts: readonly string[]): Promise<string> {
  const id = randomUUID();
  const createdAt = new Date(2026, 10, 2, 9).toISOString();
  const idOf = (at: number) => `${id}-${at}`;
  const leaf = idOf(texts.length - 1);
  const lines = [
    { type: "grove-export", format: 1, exportedAt: createdAt },
    {
      ...{ type: "session", id, title: "Apples & pears", model: null, source: null },
      ...{ tags: [], metadata: {}, parentSessionId: null, forkedAtMessageId: null },
      ...{ inputTokens: 0, outputTokens: 0, cost: 0, frozenPrompt: null, pinnedAt: null },
      ...{ archivedAt: null, createdAt, updatedAt: createdAt },
      ...{ activeLeafId: leaf, leafIds: [leaf] },
    },
    ...texts.map((text, at) => ({
      ...{ type: "message", createdAt, pinned: false, label: null, id: idOf(at) },
      ...{ parentId: at === 0 ? null : idOf(at - 1), role: at % 2 ? "assistant" : "user" },
      content: { parts: [{ type: "text", text }], metadata: { status: "complete" } },
    })),
    { type: "session-end", id, messages: texts.length },
    { type: "end", sessions: 1 },
  ];
  const answer = await request.post("/api/import", {
    headers: { "content-type": "application/x-ndjson" },
    data: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  expect(await answer.json()).toMatchObject({ sessions: { imported: 1 } });
  return id;
}

test("I print every message of a long chat, whole, from its menu", async ({ page, request }) => {
  const turns = Array.from({ length: 60 }, (_, at) => `Turn number ${at}.`);
  const id = await importTurns(request, [...turns, longQuestion, table, "More?", longAnswer]);
  await page.goto(`/s/${id}`);
  const print = vi.fn(() => document.querySelector<HTMLElement>(".paper")?.cloneNode(true));
  Object.assign(window, { print });
  await page.getByRole("button", { name: "Actions for Apples & pears" }).last().click();
  await page.getByRole("menuitem", { name: "Print or save as PDF" }).click();
  await vi.waitFor(() => expect(print).toHaveBeenCalledOnce(), { timeout: 30_000 });
  const paper = print.mock.results[0]?.value as HTMLElement;
  const text = paper.textContent ?? "";
  expect(paper.querySelector("h1")?.textContent).toBe("Apples & pears");
  expect(text).toContain("Nov 2, 2026");
  expect(turns.filter((turn) => !text.includes(turn))).toEqual([]);
  expect(text).toContain("The end of the question.");
  expect(text).toContain("row 0");
  expect(text).toContain("row 119");
  expect(text.split("A paragraph of words.").length - 1).toBe(1_200);
  expect(text).toContain("The end of the answer.");
  const names = [...paper.querySelectorAll("button")].map((each) => each.className);
  expect(names.filter((name) => !/print:hidden|table-sort/.test(name))).toEqual([]);
  window.dispatchEvent(new Event("afterprint"));
  await vi.waitFor(() => expect(document.querySelector(".paper")).toBeNull());
});

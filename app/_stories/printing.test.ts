import { expect, vi } from "vitest";
import { importTurns } from "./testing/api";
import { test } from "./testing/test";

const rows = Array.from({ length: 120 }, (_, row) => `| row ${row} | ${row * 2} |`);
const table = ["| name | twice |", "| - | - |", ...rows].join("\n");
const longQuestion = `${"Many words. ".repeat(600)}The end of the question.`;
const longAnswer = `${`${"A paragraph of words. ".repeat(60)}\n\n`.repeat(20)}The end of the answer.`;

test("I print every message of a long chat, whole, from its menu", async ({ page, request }) => {
  const turns = Array.from({ length: 50 }, (_, at) => `Turn number ${at}.`);
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

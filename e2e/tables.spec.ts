import { expect } from "@playwright/test";
import { noteScript, type PageNotes } from "@/lab/bench/page-readings";
import { expectAccessible } from "./support/accessible";
import { answers } from "./support/conversation";
import { importAnswer } from "./support/import-answer";
import { test } from "./support/test";

const small = `| Item | Price | Since |
|---|--:|---|
| **Kettle** | $1,200 | 2025-03-01 |
| Tea, green | $9 | 2024-12-31 |
| =SUM(A1) | $30 | 2025-01-15 |
`;

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("I sort a table by a click on a head, and copy it as I see it", { tag: "@essential" }, async ({
  page,
  request,
}) => {
  await page.goto(`/s/${await importAnswer(request, `Prices:\n\n${small}`)}`);
  const table = answers(page).getByRole("table");
  const firstCells = () => table.locator("tbody tr td:first-child").allInnerTexts();
  await expect.poll(firstCells).toEqual(["Kettle", "Tea, green", "=SUM(A1)"]);
  await expectAccessible(page, "a table");
  const price = table.getByRole("columnheader", { name: "Price" });
  await price.getByRole("button").click();
  await expect(price).toHaveAttribute("aria-sort", "ascending");
  await expect.poll(firstCells).toEqual(["Tea, green", "=SUM(A1)", "Kettle"]);

  await answers(page).getByRole("button", { name: "Copy table" }).click();
  await page.getByRole("menuitem", { name: "Copy as CSV" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect
    .poll(async () => (await copied()).replaceAll("\r", ""))
    .toBe(
      'Item,Price,Since\n"Tea, green",$9,2024-12-31\n=SUM(A1),$30,2025-01-15\nKettle,"$1,200",2025-03-01\n',
    );
  await answers(page).getByRole("button", { name: "Copy table" }).click();
  await page.getByRole("menuitem", { name: "Copy as Markdown" }).click();
  await expect.poll(copied).toContain("| **Kettle** | $1,200 | 2025-03-01 |");

  await price.getByRole("button").click();
  await expect(price).toHaveAttribute("aria-sort", "descending");
  await price.getByRole("button").click();
  await expect.poll(firstCells).toEqual(["Kettle", "Tea, green", "=SUM(A1)"]);
});

const rowCount = 3_000;
const long = `| Nr | Name |\n|--:|---|\n${Array.from({ length: rowCount }, (_, at) => `| ${at + 1} | Row **${at + 1}** |\n`).join("")}`;

test("A table of 3,000 rows opens at once, scrolls in its own frame, and sorts", async ({
  page,
  request,
}) => {
  const id = await importAnswer(request, `Rows:\n\n${long}\nThat was all.`);
  await page.addInitScript(noteScript);
  await page.goto(`/s/${id}`);
  const table = answers(page).getByRole("table");
  await expect(table).toHaveAttribute("aria-rowcount", String(rowCount + 1));
  await expect(table.getByRole("cell", { name: "Row 1", exact: true })).toBeVisible();
  expect(await table.getByRole("row").count()).toBeLessThan(100);
  // The notice that it does not fit the window comes once that is known.
  expect((await page.evaluate<PageNotes>("window.pageNotes")).shift).toBeLessThan(0.02);

  const nr = table.getByRole("columnheader", { name: "Nr" }).getByRole("button");
  await nr.click();
  await nr.click();
  await expect(table.getByRole("cell", { name: "Row 3000", exact: true })).toBeVisible();
  await expectAccessible(page, "a long table");
});

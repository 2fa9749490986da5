import { expect, test } from "vitest";
import { scriptBudgetBytes, sizeBench } from "@/lab/bench/app-bench";

test("no page loads more JavaScript at first than its budget", async () => {
  const pages = await sizeBench();
  const heavy = pages.filter(({ gzippedBytes }) => gzippedBytes > scriptBudgetBytes);
  expect(pages).toHaveLength(2);
  expect(heavy).toEqual([]);
});

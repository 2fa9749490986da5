import { expect, test } from "vitest";
import { withoutTests } from "./copy-documents";

test("tables lose the column of tests, and keep every other", () => {
  const page = [
    "Words | test | words.",
    "",
    "| there | test | note |",
    "|---|---|---|",
    "| a | [b](b.test.ts) | `c|d` |",
    "",
    "| one | two |",
    "|---|---|",
    "| test | 2 |",
  ].join("\n");
  expect(withoutTests(page)).toBe(
    [
      "Words | test | words.",
      "",
      "| there | note |",
      "|---|---|",
      "| a | `c|d` |",
      "",
      "| one | two |",
      "|---|---|",
      "| test | 2 |",
    ].join("\n"),
  );
});

import { expect, test } from "vitest";
import { namedPages } from "./knowledge";

const url = `grove-file:${"a".repeat(64)}`;

test("of an output, which an import or a program may have written, only pages are named", () => {
  const page = { url, name: "report.pdf", page: 2 };
  const others = [
    null,
    7,
    "page",
    {},
    { ...page, page: 1.5 },
    { ...page, url: "https://a.example" },
  ];
  expect(namedPages({ pages: [...others, page] })).toEqual([page]);
  for (const output of [null, undefined, "pages", { pages: null }, { pages: { 0: page } }])
    expect(namedPages(output)).toEqual([]);
});

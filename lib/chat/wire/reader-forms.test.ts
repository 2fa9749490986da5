import { expect, test } from "vitest";
import { usForms } from "./reader";
import { formsOf } from "./reader-forms";

test("the forms are those of the first language a browser asks for", () => {
  expect(formsOf("en-US,en;q=0.9,de;q=0.8")).toEqual(usForms);
  const clock = { halves: null, hourDigits: 2, separator: ":" };
  expect(formsOf("en-GB,en;q=0.9")).toEqual({
    ...usForms,
    isDayFirst: true,
    firstWeekday: 1,
    clock,
  });
  expect(formsOf("de;q=1, en")).toEqual({
    group: ".",
    decimal: ",",
    groupDigits: 3,
    groupedFrom: 4,
    isDayFirst: true,
    firstWeekday: 1,
    clock,
  });
});

test("a region has its own groups of digits, clock and first day", () => {
  expect(formsOf("en-IN")).toMatchObject({ groupDigits: 2, clock: { halves: ["am", "pm"] } });
  expect(formsOf("es-ES")).toMatchObject({ groupedFrom: 5, clock: { hourDigits: 1 } });
  expect(formsOf("fi")).toMatchObject({ clock: { separator: "." } });
  expect(formsOf("pt-BR")).toMatchObject({ decimal: ",", isDayFirst: true, firstWeekday: 0 });
  // The page's digits and words stay those of English.
  expect(formsOf("ar-EG")).toMatchObject({ group: ",", clock: { halves: ["AM", "PM"] } });
});

test("a header that names no language gives the forms of the page's own", () => {
  for (const odd of ["", "*", "%", "xx-QQ", "<script>", `${"a".repeat(9_000)}`])
    expect(formsOf(odd)).toEqual(usForms);
  expect(formsOf()).toEqual(usForms);
});

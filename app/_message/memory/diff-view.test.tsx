import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { DiffView } from "./diff-view";
import { lineDiff } from "./line-diff";

test("the mark of a change stands in a column of its own beside the sign of a list", () => {
  const lines = lineDiff("- Beans\n- Peas", "- Beans\n- Pears");
  const parts = renderToStaticMarkup(<DiffView lines={lines} label="Changes" />).match(
    /<span[^>]*>[^<]*<\/span>/g,
  );
  const [same, ...changed] = Array.from({ length: 3 }, (_, at) => parts?.slice(3 * at, 3 * at + 3));
  const texts = (line = same) => line?.map((part) => part.replace(/<[^>]*>/g, ""));
  expect(texts()).toEqual([" ", "", "- Beans"]);
  expect(changed.map((line) => texts(line))).toEqual([
    ["−", "Removed: ", "- Peas"],
    ["+", "Added: ", "- Pears"],
  ]);
  expect(parts?.[0]).toMatch(/aria-hidden.*border-r/);
});

import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openedElsewhere, openedPlaces } from "./support/opened-places";

const opener = /<(Dialog|Dialog\.Root|FormDialog|ConfirmDialog|Menu|Sheet|AnchoredPanel)[\s>]/;

test("every dialog, menu and panel is looked at by the accessibility stories", async () => {
  const files = (await readdir("app", { recursive: true })).filter(
    (path) => path.endsWith(".tsx") && !path.includes(".test.") && !path.startsWith("_ui/"),
  );
  const opening = await Promise.all(
    files.map(async (path) => {
      const isOpening = opener.test(await readFile(`app/${path}`, "utf8"));
      return isOpening ? [path.slice(0, -".tsx".length)] : [];
    }),
  );
  const content = { odd: "", files: "", siblings: "", formats: "", together: "", project: "" };
  const places = openedPlaces({ ...content, siblingLeaves: { left: "", right: "" } });
  const listed = new Set([...places.map(({ opens }) => opens), ...Object.keys(openedElsewhere)]);
  const outside = [...listed].filter((path) => !path.startsWith("_ui/"));
  // A form is opened by the component that has its fields.
  const expected = opening.flat().filter((path) => path !== "_data/forms/form-dialog");
  expect(outside.toSorted()).toEqual(expected.toSorted());
  for (const spec of new Set(Object.values(openedElsewhere)))
    expect(await readFile(`e2e/${spec}`, "utf8")).toContain("expectAccessible(");
});

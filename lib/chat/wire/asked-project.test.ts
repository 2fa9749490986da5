import { expect, test } from "vitest";
import { askedProject } from "./asked-project";

test.each([
  ["green tea", null, "green tea"],
  ["project:shop green tea", "shop", "green tea"],
  ['green project:"tea shop" tea', "tea shop", "green   tea"],
  ["green tea project:“Tea shop”", "Tea shop", "green tea"],
  ["green project:", "", "green"],
  ["subproject:tea", null, "subproject:tea"],
  ['Project:"tea sh', "tea sh", ""],
])("%s", (input, project, line) => {
  expect(askedProject(input)).toEqual({ project, line });
});

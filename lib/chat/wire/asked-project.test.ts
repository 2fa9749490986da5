import { expect, test } from "vitest";
import { askedProject } from "./asked-project";

test.each([
  ["green tea", null, "green tea"],
  ["project:shop green tea", "shop", "green tea"],
  ['green project:"tea shop" tea', "tea shop", "green  tea"],
  ["green tea project:“Tea shop”", "Tea shop", "green tea"],
  ["green project:", null, "green"],
  ['"the project: plan" tea', null, '"the project: plan" tea'],
  ['role:user "a project:b" project:shop', "shop", 'role:user "a project:b"'],
  ["Project: plan for May", null, "Project: plan for May"],
  ["subproject:tea", null, "subproject:tea"],
  ['project:"tea sh', "tea sh", ""],
])("%s", (input, project, line) => {
  expect(askedProject(input)).toEqual({ project, line });
});

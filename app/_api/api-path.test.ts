import { expect, test } from "vitest";
import { inSpace, spaceIn } from "@/app/_ui/page-space";
import { needOf } from "@/app/api/endpoint";
import { apiPath } from "./api-path";
import { type RouteName, routes } from "./routes";

const space = "p-00000000-0000-4000-8000-000000000001";

test("the person's own space keeps its addresses", () => {
  for (const path of ["/", "/s/a?leaf=b", "/settings"]) expect(inSpace(path, null)).toBe(path);
  expect(spaceIn("/s/p/1")).toBeNull();
});

test.each([
  ["/", `/p/${space}`],
  ["/?new=1", `/p/${space}?new=1`],
  ["/s/a?leaf=b", `/p/${space}/s/a?leaf=b`],
])("the page %s of a project is %s, which names the project", (path, address) => {
  expect(inSpace(path, space)).toBe(address);
  expect(spaceIn(new URL(address, "http://localhost").pathname)).toBe(space);
});

test("a request names the project unless it is about the person", () => {
  const kept = [];
  for (const name of Object.keys(routes) as RouteName[]) {
    const path = name.split(" ")[1] ?? "";
    const isPerson = apiPath(path, space) === path;
    if (isPerson) kept.push(name);
    if (!isPerson) expect(apiPath(path, space)).toBe(`/p/${space}${path}`);
    // Only temporary chats, which no project has, are kept.
    if (!path.endsWith("/keep")) expect(isPerson, name).toBe(needOf(name) === "person");
  }
  expect(kept).toContain("PATCH /api/settings");
  expect(apiPath("/api/modelsets", space)).toBe(`/p/${space}/api/modelsets`);
});

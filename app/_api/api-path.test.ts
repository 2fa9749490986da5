import { expect, test } from "vitest";
import { inSpace, spaceIn } from "@/app/_ui/page-space";
import { apiPath } from "./api-path";
import { routes } from "./routes";

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

/** First names in the paths of requests about a person, whichever space they ask from. */
const ofPerson = new Set(
  "about account backups data example health keys models ollama people projects prompts settings tools usage".split(
    " ",
  ),
);

test("a request names the project unless it is about the person", () => {
  for (const name of Object.keys(routes)) {
    const path = name.split(" ")[1] ?? "";
    const isPerson = ofPerson.has(path.split("/")[2] ?? "");
    expect(apiPath(path, space), name).toBe(isPerson ? path : `/p/${space}${path}`);
  }
  expect(apiPath("/api/modelsets", space)).toBe(`/p/${space}/api/modelsets`);
});

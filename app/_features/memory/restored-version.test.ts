import { expect, test } from "vitest";
import { restoredVersion } from "./version-history";

const versions = ["old", null, "new", "old"]
  .map((content, at) => ({ version: at + 1, content }))
  .reverse();

test.each([
  [4, 1],
  [3, null],
  [2, null],
])("names the earlier version with the text of version %i: %s", (version, restored) => {
  const content = versions.find((each) => each.version === version)?.content ?? null;
  expect(restoredVersion(versions, { version, content })).toBe(restored);
});

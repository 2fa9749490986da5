import { expect, test } from "vitest";
import packageJson from "@/package.json" with { type: "json" };
import { parseReleases, readReleases } from "./release-notes";

test("reads versions with their changes, and nothing else", () => {
  const changelog =
    "# Changelog\n\nAn introduction.\n\n## Next\n\n- Soon\n\n## 1.10.0 (2026-02-03)\n\n- One\n  and more\n- Two\n\n### In detail\n\n- Small\n\n## 1.9.0 (2026-01-31)\n\n- Three\n";
  expect(parseReleases(changelog)).toEqual([
    { version: "1.10.0", date: "2026-02-03", changes: ["One and more", "Two"] },
    { version: "1.9.0", date: "2026-01-31", changes: ["Three"] },
  ]);
});

test("the changelog begins with the version of the package, and shows at most five lines of each", async () => {
  const releases = await readReleases();
  expect(releases[0]?.version).toBe(packageJson.version);
  const lines = releases.map(({ changes }) => changes.length);
  expect(lines.filter((count) => count === 0 || count > 5)).toEqual([]);
});

import { expect, test } from "vitest";
import { dayIn, knownZone } from "./reader-day";

test("a moment is on another day in another zone", () => {
  const moment = new Date("2026-03-01T11:00:00Z");
  expect(dayIn(moment, "Pacific/Kiritimati")).toBe("2026-03-02");
  expect(dayIn(moment, "America/Los_Angeles")).toBe("2026-03-01");
});

test("a cookie that names no zone is left aside", () => {
  expect(knownZone("Europe%2FBerlin")).toBe("Europe/Berlin");
  for (const odd of [undefined, "Nowhere/Land", "%", "<script>"])
    expect(knownZone(odd)).toBeUndefined();
});

import { expect, test } from "vitest";
import { dayIn, knownZone, timeIn } from "./reader-day";

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

test("without a zone, days and times are those of this machine", () => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (let hour = 0; hour < 24; hour++) {
    const moment = new Date(2026, hour % 12, hour + 1, hour, 59 - hour);
    expect(timeIn(moment, undefined)).toBe(timeIn(moment, here));
    expect(dayIn(moment, undefined)).toBe(dayIn(moment, here));
  }
});

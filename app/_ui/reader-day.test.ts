import { expect, test, vi } from "vitest";
import { dayIn, dayWords, knownZone, ownZone, timeIn } from "./reader-day";

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

test("the zone of this machine is known", () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(ownZone()).toBe(timeZone);
  vi.stubGlobal("Temporal", { Now: { timeZoneId: () => "Europe/Berlin" } });
  expect(ownZone()).toBe("Europe/Berlin");
  vi.stubGlobal("Temporal", undefined);
  expect(ownZone()).toBe(timeZone);
});

test("days are named from today, and further back as dates", () => {
  const named = (day: string) => dayWords(day, "2026-03-02");
  expect(["2026-03-02", "2026-03-01", "2026-02-28"].map(named)).toEqual([
    "Today",
    "Yesterday",
    "Saturday, February 28",
  ]);
  expect(["2026-02-24", "2026-02-23", "2025-12-31"].map(named)).toEqual([
    "Tuesday, February 24",
    "February 23",
    "December 31, 2025",
  ]);
});

test("dates are written as Intl writes them in English", () => {
  for (let n = 2; n < 800; n++) {
    const date = new Date(Date.UTC(2026, 0, 5 - n));
    const written = date.toLocaleDateString("en", {
      timeZone: "UTC",
      weekday: n < 7 ? "long" : undefined,
      day: "numeric",
      month: "long",
      year: date.getUTCFullYear() === 2026 ? undefined : "numeric",
    });
    expect(dayWords(date.toISOString().slice(0, 10), "2026-01-05")).toBe(written);
  }
});

import { afterEach, expect, test, vi } from "vitest";
import { formsOf } from "@/lib/chat/wire/reader-forms";
import {
  dateWords,
  dayOf,
  dayWords,
  momentWords,
  monthWords,
  ownZone,
  timeOf,
  weekStart,
} from "./reader-day";

afterEach(() => vi.unstubAllGlobals());

function readAs(language: string, zone?: string): void {
  const forms = formsOf(language);
  vi.stubGlobal("groveReader", { getStore: () => ({ forms, zone }) });
}

test("a moment is on another day in another zone", () => {
  const moment = new Date("2026-03-01T11:04:00Z");
  readAs("en", "Pacific/Kiritimati");
  expect([dayOf(moment), timeOf(moment)]).toEqual(["2026-03-02", "1:04 AM"]);
  readAs("en", "America/Los_Angeles");
  expect([dayOf(moment), timeOf(moment)]).toEqual(["2026-03-01", "3:04 AM"]);
});

test("without a zone, days and times are those of this machine", () => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (let hour = 0; hour < 24; hour++) {
    const moment = new Date(2026, hour % 12, hour + 1, hour, 59 - hour);
    readAs("en");
    const own = momentWords(moment);
    readAs("en", here);
    expect(momentWords(moment)).toBe(own);
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

test("times are written as Intl writes them for the reader's language", () => {
  for (const language of ["en-US", "en-GB", "en-AU", "en-CA", "de", "fi", "es", "cs", "pt-BR"]) {
    readAs(language, "UTC");
    for (let hour = 0; hour < 24; hour++) {
      const moment = new Date(Date.UTC(2026, 0, 1, hour, 5));
      const written = moment.toLocaleTimeString(language, { timeStyle: "short", timeZone: "UTC" });
      expect(timeOf(moment)).toBe(written);
    }
  }
});

test("days are named from today, and further back as dates", () => {
  const named = (day: string) => dayWords(day, "2026-03-02");
  const days = ["2026-03-01", "2026-02-28", "2026-02-23", "2025-12-31"];
  expect(named("2026-03-02")).toBe("Today");
  expect(days.map(named)).toEqual([
    "Yesterday",
    "Saturday, February 28",
    "February 23",
    "December 31, 2025",
  ]);
  readAs("en-GB");
  expect(days.map(named)).toEqual([
    "Yesterday",
    "Saturday 28 February",
    "23 February",
    "31 December 2025",
  ]);
});

test.each(["en-US", "en-AU", "en-NZ"])(
  "dates are written as Intl writes them in %s",
  (language) => {
    readAs(language);
    for (let n = 0; n < 400; n += 9) {
      const date = new Date(Date.UTC(2026, 0, 5 - n));
      const day = date.toISOString().slice(0, 10);
      const options = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
      expect(dateWords(day, { month: "long" })).toBe(date.toLocaleDateString(language, options));
    }
  },
);

test("dates, moments and months are short and name their month", () => {
  readAs("en-GB", "UTC");
  expect(momentWords(new Date("2026-12-27T21:04:00Z"))).toBe("27 Dec 2026, 21:04");
  expect(monthWords("2026-11")).toBe("November 2026");
  readAs("en-US", "UTC");
  expect(momentWords(new Date("2026-12-27T21:04:00Z"))).toBe("Dec 27, 2026, 9:04 PM");
});

test("a week begins on the reader's first day", () => {
  const starts = ["en-US", "de", "ar-EG"].map((language) => {
    readAs(language);
    return weekStart("2026-11-18");
  });
  expect(starts).toEqual(["2026-11-15", "2026-11-16", "2026-11-14"]);
});

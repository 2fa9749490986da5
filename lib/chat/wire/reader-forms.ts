import { type ReaderForms, usForms } from "./reader";

/** Tags of languages with a script, a region and extensions are shorter (RFC 5646, 4.4.1). */
const longestTag = 35;

/** Language and region of the first language, which is what a browser calls its own; `null` for one without forms. */
export function localeOf(acceptLanguage = ""): string | null {
  const [first = ""] = acceptLanguage.split(",", 1);
  const tag = first.replace(/;.*$/, "").trim();
  if (tag.length > longestTag) return null;
  try {
    const { language, region } = new Intl.Locale(tag).maximize();
    return Intl.DateTimeFormat.supportedLocalesOf([`${language}-${region}`])[0] ?? null;
  } catch {
    return null;
  }
}

export function formsOf(acceptLanguage?: string): ReaderForms {
  const locale = localeOf(acceptLanguage);
  if (locale === null) return usForms;
  const own = new Intl.Locale(locale);
  return formsIn(own, `en-${own.region}`);
}

function formsIn(own: Intl.Locale, english: string): ReaderForms {
  return {
    ...numbersIn(`${own}-u-nu-latn`),
    isDayFirst: isDayFirst(english),
    firstWeekday: firstWeekday(own),
    clock: clockIn(`${own}-u-nu-latn`, english),
  };
}

function numbersIn(locale: string) {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const parts = format.formatToParts(12_345_678.5);
  const groups = parts.flatMap(({ type, value }) => (type === "integer" ? [value] : []));
  const textOf = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return {
    group: textOf("group"),
    decimal: textOf("decimal"),
    groupDigits: groups.at(-2)?.length ?? 3,
    groupedFrom: format.formatToParts(1_234).length > 1 ? 4 : 5,
  };
}

/** International English begins with the day. */
function isDayFirst(english: string): boolean {
  const format = new Intl.DateTimeFormat(english, { dateStyle: "medium" });
  if (format.resolvedOptions().locale !== english) return true;
  return format.formatToParts(0)[0]?.type === "day";
}

function firstWeekday(locale: Intl.Locale): number {
  // Node 20 has the field, later versions the method.
  const { weekInfo, getWeekInfo } = locale as Intl.Locale & {
    weekInfo?: { firstDay: number };
    getWeekInfo?: () => { firstDay: number };
  };
  return (getWeekInfo?.call(locale) ?? weekInfo ?? { firstDay: 1 }).firstDay % 7;
}

function clockIn(locale: string, english: string): ReaderForms["clock"] {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
  const parts = format.formatToParts(Date.UTC(2026, 0, 1, 9, 5));
  const at = parts.findIndex(({ type }) => type === "hour");
  const { hourCycle } = format.resolvedOptions();
  return {
    halves:
      hourCycle === "h11" || hourCycle === "h12" ? [halfIn(english, 9), halfIn(english, 21)] : null,
    hourDigits: parts[at]?.value.length ?? 2,
    separator: parts[at + 1]?.value === "." ? "." : ":",
  };
}

function halfIn(locale: string, hour: number): string {
  const format = new Intl.DateTimeFormat(locale, {
    hour: "numeric",
    hour12: true,
    timeZone: "UTC",
  });
  const parts = format.formatToParts(Date.UTC(2026, 0, 1, hour));
  return parts.find(({ type }) => type === "dayPeriod")?.value ?? (hour < 12 ? "AM" : "PM");
}

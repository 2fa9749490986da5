import { reader } from "./reader";

/** The zone of this machine. `Intl` knows it everywhere, but takes a slow processor 80 ms for its first format. */
export function ownZone(): string {
  const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } };
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function dayOf(date: Date): string {
  return clockOf(date).slice(0, 10);
}

export function timeOf(date: Date): string {
  const { halves, hourDigits, separator } = reader().forms.clock;
  const [hours = 0, minutes = ""] = clockOf(date).slice(11).split(":");
  const hour = halves ? Number(hours) % 12 || 12 : Number(hours);
  const half = halves ? ` ${halves[Number(hours) < 12 ? 0 : 1]}` : "";
  return `${digits(hour, hourDigits)}${separator}${minutes}${half}`;
}

export function momentWords(date: Date): string {
  return `${dateWords(dayOf(date))}, ${timeOf(date)}`;
}

export interface DateForm {
  readonly weekday?: "short" | "long";
  readonly month?: "short" | "long";
  readonly hasYear?: boolean;
}

export function dateWords(
  day: string,
  { weekday, month = "short", hasYear = true }: DateForm = {},
): string {
  const date = new Date(day);
  const { isDayFirst } = reader().forms;
  const monthName = sized(months[date.getUTCMonth()], month);
  const dayNumber = date.getUTCDate();
  const year = hasYear ? [`${date.getUTCFullYear()}`] : [];
  const weekdays = weekday ? [sized(weekdayNames[date.getUTCDay()], weekday)] : [];
  return isDayFirst
    ? [...weekdays, dayNumber, monthName, ...year].join(" ")
    : [...weekdays, `${monthName} ${dayNumber}`, ...year].join(", ");
}

export function monthWords(month: string): string {
  return `${months[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;
}

export function dayWords(day: string, today: string): string {
  const days = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return dateWords(day, {
    month: "long",
    hasYear: day.slice(0, 4) !== today.slice(0, 4),
    ...(days < 7 && { weekday: "long" }),
  });
}

export function weekStart(day: string): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 7 - reader().forms.firstWeekday) % 7));
  return date.toISOString().slice(0, 10);
}

const zonedFormats = new Map<string, Intl.DateTimeFormat>();

function clockOf(date: Date): string {
  const { zone } = reader();
  if (zone === undefined) {
    const day = [digits(date.getFullYear(), 4), date.getMonth() + 1, date.getDate()];
    const time = [date.getHours(), date.getMinutes()];
    return `${day.map(twoDigits).join("-")} ${time.map(twoDigits).join(":")}`;
  }
  let format = zonedFormats.get(zone);
  if (!format) {
    const two = "2-digit";
    const day = { year: "numeric", month: two, day: two } as const;
    const time = { hour: two, minute: two, hourCycle: "h23" } as const;
    format = new Intl.DateTimeFormat("sv", { timeZone: zone, ...day, ...time });
    zonedFormats.set(zone, format);
  }
  return format.format(date);
}

function twoDigits(value: number | string): string {
  return digits(value, 2);
}

function digits(value: number | string, count: number): string {
  return `${value}`.padStart(count, "0");
}

function sized(name = "", size: "short" | "long"): string {
  return size === "long" ? name : name.slice(0, 3);
}

const weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

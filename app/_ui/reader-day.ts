export const zoneCookie = "grove-zone";

export function knownZone(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: decodeURIComponent(name) }).resolvedOptions()
      .timeZone;
  } catch {
    return undefined;
  }
}

/** The zone of this machine. `Intl` knows it everywhere, but takes a slow processor 80 ms for its first format. */
export function ownZone(): string {
  const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } };
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function dayIn(date: Date, zone: string | undefined): string {
  if (zone === undefined) {
    const year = date.getFullYear().toString().padStart(4, "0");
    return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  }
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formats.set(zone, format);
  }
  return format.format(date);
}

export function timeIn(date: Date, zone: string | undefined): string {
  if (zone !== undefined) {
    return date.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", timeZone: zone });
  }
  const hours = date.getHours();
  return `${twoDigits(hours % 12 || 12)}:${twoDigits(date.getMinutes())} ${hours < 12 ? "AM" : "PM"}`;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
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

export function dayWords(day: string, today: string): string {
  const date = new Date(day);
  const days = Math.round((Date.parse(today) - date.getTime()) / 86_400_000);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const words = [`${months[date.getUTCMonth()]} ${date.getUTCDate()}`];
  if (days < 7) words.unshift(weekdays[date.getUTCDay()] ?? "");
  if (day.slice(0, 4) !== today.slice(0, 4)) words.push(day.slice(0, 4));
  return words.join(", ");
}

function twoDigits(value: number): string {
  return value.toString().padStart(2, "0");
}

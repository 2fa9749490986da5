export const zoneCookie = "grove-zone";

/** `undefined` for anything but a zone that is known here. */
export function knownZone(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: decodeURIComponent(name) }).resolvedOptions()
      .timeZone;
  } catch {
    return undefined;
  }
}

// A first format takes a browser 10 ms.
const formats = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD` */
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

/** `hh:mm AM` */
export function timeIn(date: Date, zone: string | undefined): string {
  if (zone !== undefined) {
    return date.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", timeZone: zone });
  }
  const hours = date.getHours();
  return `${twoDigits(hours % 12 || 12)}:${twoDigits(date.getMinutes())} ${hours < 12 ? "AM" : "PM"}`;
}

function twoDigits(value: number): string {
  return value.toString().padStart(2, "0");
}

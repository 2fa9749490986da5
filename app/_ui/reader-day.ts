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

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** `YYYY-MM-DD` */
export function dayIn(date: Date, zone: string | undefined): string {
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

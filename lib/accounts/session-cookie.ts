import { createHmac, timingSafeEqual } from "node:crypto";

/** A longer cookie is no token of Grove's. */
const longestValue = 512;
const longestHeader = 16_384;

/** Checks the signature, so that a guessed token costs no read. The first of equal names counts, as in better-auth. */
export function sessionTokenIn(
  headers: Pick<Headers, "get">,
  { name, secret }: { name: string; secret: string },
): string | null {
  const value = cookieIn(headers, name);
  if (value === null) return null;
  const end = value.lastIndexOf(".");
  if (end < 1) return null;
  const token = value.slice(0, end);
  const given = Buffer.from(value.slice(end + 1), "base64");
  const right = createHmac("sha256", secret).update(token).digest();
  return given.length === right.length && timingSafeEqual(given, right) ? token : null;
}

export function cookieIn(headers: Pick<Headers, "get">, name: string): string | null {
  const header = headers.get("cookie") ?? "";
  if (header.length > longestHeader) return null;
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    if (value.length > longestValue) return null;
    try {
      return decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return null;
}

import { createHmac, timingSafeEqual } from "node:crypto";
import { cookieIn } from "./session-cookie";

interface PendingNames {
  readonly step: string;
  readonly own: string;
  readonly secret: string;
}

const minutes = 10;

/** Bound to better-auth's cookie, so that tries of codes are counted by account. */
export function pendingCode(
  answer: Headers,
  email: string,
  { step, own, secret, isSecure }: PendingNames & { isSecure: boolean },
): string {
  const pairs = answer.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
  const stepValue = cookieIn(new Headers({ cookie: pairs.join("; ") }), step) ?? "";
  const value = `${Buffer.from(email).toString("base64url")}.${signature(email, stepValue, secret).toString("base64url")}`;
  return `${own}=${value}; Path=/; Max-Age=${minutes * 60}; HttpOnly${isSecure ? "; Secure" : ""}; SameSite=Lax`;
}

export function emailOfPendingCode(
  headers: Pick<Headers, "get">,
  { step, own, secret }: PendingNames,
): string | null {
  const [name = "", given = ""] = (cookieIn(headers, own) ?? "").split(".");
  const email = Buffer.from(name, "base64url").toString();
  const right = signature(email, cookieIn(headers, step) ?? "", secret);
  const bytes = Buffer.from(given, "base64url");
  return bytes.length === right.length && timingSafeEqual(bytes, right) ? email : null;
}

function signature(email: string, step: string, secret: string): Buffer {
  return createHmac("sha256", secret)
    .update(JSON.stringify(["code", email, step]))
    .digest();
}

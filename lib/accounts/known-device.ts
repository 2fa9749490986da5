import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { cookieIn } from "./session-cookie";

interface KnownCookie {
  readonly name: string;
  readonly secret: string;
}

const mostAccounts = 4;
const separator = "~";
const yearSeconds = 365 * 86_400;

/** Others' wrong tries do not count against a known device, which opens nothing. */
export function knownDevice(
  headers: Pick<Headers, "get">,
  account: string,
  { name, secret }: KnownCookie,
): string | null {
  for (const mark of marksIn(headers, name)) {
    const [id = "", given = ""] = mark.split(".");
    const right = signature(id, account, secret);
    const bytes = Buffer.from(given, "base64url");
    if (bytes.length === right.length && timingSafeEqual(bytes, right)) return id;
  }
  return null;
}

export function rememberDevice(
  headers: Pick<Headers, "get">,
  account: string,
  { isSecure, ...cookie }: KnownCookie & { isSecure: boolean },
): string {
  const { name, secret } = cookie;
  const known = knownDevice(headers, account, cookie);
  const id = known ?? randomBytes(12).toString("base64url");
  const own = `${id}.${signature(id, account, secret).toString("base64url")}`;
  const others = marksIn(headers, name).filter((mark) => mark !== own);
  const value = [own, ...others].slice(0, mostAccounts).join(separator);
  return `${name}=${value}; Path=/; Max-Age=${yearSeconds}; HttpOnly${isSecure ? "; Secure" : ""}; SameSite=Lax`;
}

function marksIn(headers: Pick<Headers, "get">, name: string): string[] {
  const value = cookieIn(headers, name) ?? "";
  return value === "" ? [] : value.split(separator).slice(0, mostAccounts);
}

function signature(id: string, account: string, secret: string): Buffer {
  return createHmac("sha256", secret)
    .update(JSON.stringify(["device", id, account]))
    .digest();
}

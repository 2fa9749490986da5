import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { factsOf, guard, isSharedLink, ownSite, type RequestRefusal } from "@/lib/server/guard";
import { noSuchDoor } from "@/lib/server/no-such-door";
import { refusalLog } from "@/lib/server/refusal-log";
import { apiHeaders, commonHeaders, pagePolicy } from "@/lib/server/security-headers";
import type { Services } from "@/lib/server/services";

/**
 * Turns away what does not come from this machine's own pages, and gives each page a policy with a nonce of its own.
 * A header set here replaces the one from the Next configuration, so each is set whole.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const decision = guard(factsOf(request), ownSite());
  if (decision !== "allow") {
    refusalLog.note(decision);
    return refuse(decision);
  }
  const { origin } = ownSite();
  const { pathname } = request.nextUrl;
  if (origin && discovery.test(pathname)) return NextResponse.next();
  const refused = noSuchDoor(pathname);
  if (refused) return closed(refused);
  // These set policies of their own. A preview holds nothing of anybody, and a link asks itself for whom it is.
  if (pathname === "/preview" || isSharedLink(pathname)) return NextResponse.next();
  return (origin && (await elsewhere(request, origin))) || page(request);
}

/** With accounts: to the sign-in page without one, and away from it with one. `null`: to the page itself. */
async function elsewhere(request: NextRequest, origin: string): Promise<NextResponse | null> {
  const { pathname, search } = request.nextUrl;
  if (openFiles.has(pathname) || pathname.startsWith("/sign-in/")) return null;
  const isDoor = pathname === "/sign-in" || pathname === "/welcome";
  try {
    const identity = await shared.groveServices?.identify(request.headers);
    const isRemoved = Boolean(identity?.person?.deletesAt);
    if (isRemoved && pathname !== "/removed")
      return NextResponse.redirect(new URL("/removed", origin), 303);
    if (identity) return isDoor ? NextResponse.redirect(new URL("/", origin), 303) : null;
  } catch {
    return refuse(notReady);
  }
  if (isDoor) return null;
  const door = new URL("/sign-in", origin);
  if (pathname !== "/") door.searchParams.set("next", `${pathname}${search}`);
  return NextResponse.redirect(door, 303);
}

/** The server's, which this module must not load a second time. */
const shared = globalThis as typeof globalThis & { groveServices?: Pick<Services, "identify"> };

/** Leads clients of MCP to the sign-in. */
const discovery = /^\/\.well-known\/oauth-(protected-resource(\/mcp)?|authorization-server)$/;

/** The same for everybody. */
const openFiles = new Set([
  "/service-worker.js",
  "/manifest.webmanifest",
  "/away.html",
  "/icon.svg",
  "/apple-icon.png",
  "/favicon.ico",
  "/icon-192.png",
  "/icon-512.png",
  "/icon-maskable.png",
]);

const notReady = {
  status: 503,
  message: "Grove cannot tell who you are at the moment: its database does not answer. Try again.",
} as const;

export const config = {
  // Built files are the same for everybody, so they need no guard and keep the fallback policy. The API asks the guard
  // itself, in `route`, `/v1`, `/mcp` and `/metrics` ask for a key, apps prove themselves to `/oauth2`, and `/live` and `/ready` say nothing of anybody: Next keeps a copy of every body that passes here, waits for its end, cuts it at a limit, and
  // reports a crash when the client hangs up before.
  matcher:
    "/((?!_next/static/|api/|v1/|oauth2/(?:token|register|revoke)$|mcp$|live$|ready$|metrics$).*)",
};

function page(request: NextRequest): NextResponse {
  const mode = process.env.NODE_ENV === "development" ? "development" : "production";
  const policy = pagePolicy(randomBytes(16).toString("base64"), mode);
  const headers = new Headers(request.headers);
  // Next reads the nonce off the request's policy and puts it on the scripts it writes.
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

function refuse({
  status,
  message,
}: Pick<RequestRefusal, "message"> & { status: number }): NextResponse {
  return closed(new Response(message, { status, headers: { "Content-Type": "text/plain" } }));
}

function closed({ body, status, headers }: Response): NextResponse {
  const response = new NextResponse(body, { status, headers });
  for (const { key, value } of [...commonHeaders, ...apiHeaders]) response.headers.set(key, value);
  return response;
}

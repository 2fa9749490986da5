import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { factsOf, guard, ownPort, type Refusal } from "@/lib/server/guard";
import { apiHeaders, commonHeaders, pagePolicy } from "@/lib/server/security-headers";

/**
 * Turns away what does not come from this machine's own pages, and gives each page a policy with a nonce of its own.
 * A header set here replaces the one from the Next configuration, so each is set whole.
 */
export function proxy(request: NextRequest): NextResponse {
  const decision = guard(factsOf(request), { port: ownPort() });
  return decision === "allow" ? page(request) : refuse(decision);
}

export const config = {
  // Built files are the same for everybody, so they need no guard and keep the fallback policy. The API asks the guard
  // itself, in `route`, and `/v1` and `/mcp` ask for a key: Next keeps a copy of every body that passes here, waits for its end, cuts it at a limit, and
  // reports a crash when the client hangs up before.
  matcher: "/((?!_next/static/|api/|v1/|mcp$).*)",
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

function refuse({ status, message }: Refusal): NextResponse {
  const response = new NextResponse(message, { status, headers: { "Content-Type": "text/plain" } });
  for (const { key, value } of [...commonHeaders, ...apiHeaders]) response.headers.set(key, value);
  return response;
}

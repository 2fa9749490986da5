import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { factsOf, guard, type Refusal } from "@/lib/server/guard";
import { apiHeaders, commonHeaders, pagePolicy } from "@/lib/server/security-headers";

/**
 * Turns away what does not come from this machine's own pages, and gives each page a policy with a nonce of its own.
 * A header set here replaces the one from the Next configuration, so each is set whole.
 */
export function proxy(request: NextRequest): NextResponse {
  const facts = factsOf(request);
  const decision = guard(facts, { port: Number(process.env.PORT ?? 3000) });
  const isApi = facts.path.startsWith("/api/");
  if (decision !== "allow") return refuse(decision, isApi ? "json" : "text");
  return isApi ? withHeaders(NextResponse.next(), apiHeaders) : page(request);
}

export const config = {
  // Built files are the same for everybody, so they need no guard and keep the fallback policy.
  matcher: "/((?!_next/static/).*)",
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

function refuse({ status, code, message }: Refusal, kind: "json" | "text"): NextResponse {
  const response =
    kind === "json"
      ? NextResponse.json({ error: { code, message } }, { status })
      : new NextResponse(message, { status, headers: { "Content-Type": "text/plain" } });
  return withHeaders(response, [...commonHeaders, ...apiHeaders]);
}

function withHeaders(response: NextResponse, headers: typeof apiHeaders): NextResponse {
  for (const { key, value } of headers) response.headers.set(key, value);
  return response;
}

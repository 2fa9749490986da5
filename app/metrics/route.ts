import "@/lib/server/services";

import { services } from "@/lib/server/services";

/** Prometheus has a token instead of a login. */
export async function GET({ headers }: Request): Promise<Response> {
  const { metrics } = services();
  if (!metrics) return plain("GROVE_METRICS_TOKEN turns this page on.", { status: 404 });
  if (!metrics.admits(headers.get("authorization"))) {
    return plain("This page needs the token in an Authorization header: Bearer <token>.", {
      status: 401,
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  return plain(await metrics.text(), { headers: { "Content-Type": metrics.contentType } });
}

function plain(text: string, { status = 200, headers = {} }: ResponseInit): Response {
  return new Response(text, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      ...headers,
    },
  });
}

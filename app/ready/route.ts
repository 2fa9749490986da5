import "@/lib/server/services";

import { notReadyBecause } from "@/lib/server/readiness";
import { services } from "@/lib/server/services";

/** Balancers and upgrades ask whether this process should receive requests. */
export async function GET(_: Request): Promise<Response> {
  const reason = await notReadyBecause(services());
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(`${reason ?? "ready"}\n`, { status: reason === null ? 200 : 503, headers });
}

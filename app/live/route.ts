/** Supervisors ask this path: the process answers even without its database. */
export function GET(_: Request): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response("live\n", { headers });
}

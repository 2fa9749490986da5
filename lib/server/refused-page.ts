export function refusedPage(
  request: Request,
  { status, code, message }: { status: number; code: string; message: string },
): Response | null {
  if (request.headers.get("sec-fetch-dest") !== "document") return null;
  if (code === "signed-out") {
    const next = encodeURIComponent(pageOf(new URL(request.url).pathname));
    return new Response(null, { status: 303, headers: { Location: `/sign-in?next=${next}` } });
  }
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  return new Response(message, { status, headers });
}

/** The download itself would leave the browser at the sign-in page. */
function pageOf(path: string): string {
  const [, sessionId] = /^\/api\/sessions\/([^/]+)\/export$/.exec(path) ?? [];
  if (sessionId) return `/s/${sessionId}`;
  if (path === "/api/export") return "/settings?section=data";
  return "/";
}

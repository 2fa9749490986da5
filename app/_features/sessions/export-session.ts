import { pathOf } from "@/app/_api/api";

/** Complete as JSON, or the visible path as Markdown. */
export function exportSession(sessionId: string, form: "json" | "markdown"): void {
  const shown = new URL(location.href);
  const isOpen = decodeURIComponent(shown.pathname) === `/s/${sessionId}`;
  const leaf = isOpen ? shown.searchParams.get("leaf") : null;
  const request = { params: { sessionId }, query: { as: form, leaf } };
  location.assign(pathOf("GET /api/sessions/:sessionId/export", request));
}

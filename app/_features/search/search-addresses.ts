import type { SearchHitWire } from "@/lib/chat/wire/search";

/** Where a session opens, at the leaf it was left at. */
export function sessionAddress(sessionId: string): string {
  return `/s/${encodeURIComponent(sessionId)}`;
}

/** Where a hit opens: its session on the branch that holds it, scrolled to it, or to the summary that ends with it. */
export function hitAddress({
  id,
  sessionId,
  place,
}: Pick<SearchHitWire, "id" | "sessionId" | "place">): string {
  const query = new URLSearchParams({ leaf: id, hit: id });
  if (place === "summary") query.set("place", "summary");
  return `${sessionAddress(sessionId)}?${query}`;
}

/** Where a memory document is edited outside a session. */
export function documentAddress(label: string): string {
  if (label === "knowledge" || label === "skills") return `/settings?section=${label}`;
  return "/settings?section=blocks";
}

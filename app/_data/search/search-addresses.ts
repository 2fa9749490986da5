import type { SearchHitWire } from "@/lib/chat/wire/search";

export function sessionAddress(sessionId: string): string {
  return `/s/${encodeURIComponent(sessionId)}`;
}

/** On the hit's branch, scrolled to the hit or to the summary that ends with it. */
export function hitAddress({
  id,
  sessionId,
  place,
}: Pick<SearchHitWire, "id" | "sessionId" | "place">): string {
  const query = new URLSearchParams({ leaf: id, hit: id });
  if (place === "summary") query.set("place", "summary");
  return `${sessionAddress(sessionId)}?${query}`;
}

export function documentAddress(label: string): string {
  if (label === "knowledge" || label === "skills") return `/settings?section=${label}`;
  return "/settings?section=blocks";
}

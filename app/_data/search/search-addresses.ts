import type { SearchHitWire } from "@/lib/chat/wire/search";

export function sessionAddress(sessionId: string): string {
  return `/s/${encodeURIComponent(sessionId)}`;
}

export function messageAddress(sessionId: string, messageId: string): string {
  return `${sessionAddress(sessionId)}?hit=${encodeURIComponent(messageId)}`;
}

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

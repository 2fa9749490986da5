import { inSpace, pageSpace } from "@/app/_ui/page-space";
import { filesLabel } from "@/lib/chat/wire/knowledge";
import type { SearchHitWire } from "@/lib/chat/wire/search";

export function sessionAddress(sessionId: string, space: string | null = pageSpace): string {
  return inSpace(`/s/${encodeURIComponent(sessionId)}`, space);
}

/** The leaf that the page of a chat was asked for; `null` when another page is open. */
export function shownLeaf(sessionId: string): string | null {
  const { pathname, searchParams } = new URL(location.href);
  return pathname === sessionAddress(sessionId) ? searchParams.get("leaf") : null;
}

export function messageAddress(sessionId: string, messageId: string): string {
  return `${sessionAddress(sessionId)}?hit=${encodeURIComponent(messageId)}`;
}

export function hitAddress(
  { id, sessionId, place }: Pick<SearchHitWire, "id" | "sessionId" | "place">,
  space: string | null = pageSpace,
): string {
  const query = new URLSearchParams({ leaf: id, hit: id });
  if (place === "summary") query.set("place", "summary");
  return `${sessionAddress(sessionId, space)}?${query}`;
}

export function documentAddress(label: string): string {
  const isOwnPage = ["knowledge", "skills", "Assistants"].includes(label);
  const section = label === filesLabel ? "knowledge" : isOwnPage ? label.toLowerCase() : "blocks";
  return inSpace(`/settings?section=${section}`);
}

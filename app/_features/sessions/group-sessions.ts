import type { SessionWire } from "@/lib/chat/wire/sessions";

export type SessionGroup = "Pinned" | "Today" | "Yesterday" | "This week" | "Older";

export type SessionLine =
  | { type: "heading"; group: SessionGroup }
  | { type: "session"; session: SessionWire };

const groups: readonly SessionGroup[] = ["Pinned", "Today", "Yesterday", "This week", "Older"];

/** Newest first, by the reader's calendar days. */
export function groupSessions(sessions: readonly SessionWire[], now: Date): SessionLine[] {
  const grouped = Map.groupBy(sessions, (session) => groupOf(session, now));
  return groups.flatMap((group) => {
    const members = grouped.get(group);
    if (!members) return [];
    const lines = members
      .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
      .map((session) => ({ type: "session" as const, session }));
    return [{ type: "heading" as const, group }, ...lines];
  });
}

function groupOf(session: SessionWire, now: Date): SessionGroup {
  if (session.pinned) return "Pinned";
  const at = new Date(session.updatedAt);
  if (at >= dayStart(now, 0)) return "Today";
  if (at >= dayStart(now, 1)) return "Yesterday";
  return at >= dayStart(now, 7) ? "This week" : "Older";
}

/** Days around a clock change are not 24 hours long. */
function dayStart(now: Date, daysAgo: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}

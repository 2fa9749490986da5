import type { SearchHitWire } from "@/lib/chat/wire/search";

export interface SessionHits {
  sessionId: string;
  sessionTitle: string;
  hits: SearchHitWire[];
}

/** Sessions keep the order of their best hit. */
export function hitsBySession(hits: readonly SearchHitWire[]): SessionHits[] {
  return [...Map.groupBy(hits, ({ sessionId }) => sessionId)].map(([sessionId, members]) => ({
    sessionId,
    sessionTitle: members[0]?.sessionTitle ?? "",
    hits: members,
  }));
}

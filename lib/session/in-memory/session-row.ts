import type { SessionInfo } from "../session-store";
import { liveRecords } from "../tree/paths";
import type { SessionTree } from "../tree/session-tree";

export interface SessionRow {
  readonly info: Omit<SessionInfo, "messageCount" | "parent_session_id">;
  readonly tree: SessionTree;
  /** Increases with every write, to order sessions without a clock. */
  readonly activity: number;
  readonly deletedAt: Date | null;
}

export function hasExpired({ info }: SessionRow): boolean {
  return info.expiresAt !== null && info.expiresAt.getTime() <= Date.now();
}

export function renewed(row: SessionRow): SessionRow {
  const { expiresAfterMs } = row.info;
  return { ...row, info: { ...row.info, expiresAt: expiryAfter(expiresAfterMs) } };
}

export function expiryAfter(expiresAfterMs: number | null): Date | null {
  return expiresAfterMs === null ? null : new Date(Date.now() + expiresAfterMs);
}

export function toSessionInfo({ info, tree }: SessionRow): SessionInfo {
  return {
    ...info,
    parent_session_id: info.parentSessionId,
    messageCount: liveRecords(tree).length,
  };
}

export function bySessionOrder(first: SessionRow, second: SessionRow): number {
  return pinRank(second) - pinRank(first) || second.activity - first.activity;
}

export function cursorOf(row: SessionRow): string {
  return `${pinRank(row)}.${row.activity}`;
}

export function isAfterCursor(row: SessionRow, cursor: string): boolean {
  const [rank = 0, activity = 0] = cursor.split(".").map(Number);
  return pinRank(row) < rank || (pinRank(row) === rank && row.activity < activity);
}

function pinRank({ info }: SessionRow): number {
  return info.pinnedAt === null ? 0 : 1;
}

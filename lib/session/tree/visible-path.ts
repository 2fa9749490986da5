import { compactionMessage } from "../compaction-message";
import type { StoredMessage } from "../message";
import { type PlacedOverlay, shownOverlays } from "../overlays";
import type { Compaction } from "../session-provider";
import { fromStoredBody } from "../stored-body";
import { pathWithDeleted } from "./paths";
import type { SessionTree, TreeRecord } from "./session-tree";

interface PathOverlay extends PlacedOverlay {
  readonly compaction: Compaction;
  readonly covered: readonly PathMessage[];
}

interface PathMessage {
  readonly record: TreeRecord;
  /** Counts along the path, deleted messages included. */
  readonly position: number;
}

export type PathEntry =
  | { readonly kind: "message"; readonly position: number; readonly record: TreeRecord }
  | { readonly kind: "summary"; readonly position: number; readonly overlay: PathOverlay };

export function livePath(tree: SessionTree, leafId: string | null): PathMessage[] {
  return pathWithDeleted(tree, leafId)
    .map((record, position) => ({ record, position }))
    .filter(({ record }) => record.deletionId === null);
}

export function overlaysOnPath(tree: SessionTree, leafId: string | null): PathOverlay[] {
  const path = pathWithDeleted(tree, leafId);
  const positions = new Map(path.map((record, position) => [record.body.id, position]));
  const live = livePath(tree, leafId);
  const placed = [...tree.overlays.values()].flatMap(({ compaction, order, removed }) => {
    const from = positions.get(compaction.fromMessageId);
    const to = positions.get(compaction.toMessageId);
    if (removed || from === undefined || to === undefined) return [];
    const covered = live.filter(({ position }) => position >= from && position <= to);
    return covered.length === 0 ? [] : [{ compaction, order, from, to, covered }];
  });
  return shownOverlays(placed);
}

/** Pinned messages stand verbatim after their summary. */
export function visiblePath(tree: SessionTree, leafId: string | null): PathEntry[] {
  const overlays = overlaysOnPath(tree, leafId);
  const entries: PathEntry[] = [];
  let next = 0;
  for (const message of livePath(tree, leafId)) {
    while ((overlays[next]?.to ?? Number.POSITIVE_INFINITY) < message.position) next++;
    const overlay = overlays[next];
    const covered = overlay !== undefined && overlay.from <= message.position;
    if (covered && overlay.covered[0]?.position === message.position)
      entries.push(summaryEntry(overlay));
    if (!covered || message.record.pinned) entries.push({ kind: "message", ...message });
  }
  return entries;
}

export function storedPath(tree: SessionTree, leafId: string | null): PathEntry[] {
  return livePath(tree, leafId).map((message) => ({ kind: "message", ...message }));
}

export function entryMessage(entry: PathEntry): StoredMessage {
  return entry.kind === "message"
    ? fromStoredBody(entry.record.body)
    : compactionMessage(entry.overlay.compaction);
}

/** The summary stands half a step before its range, so that a pinned first message has its own position. */
function summaryEntry(overlay: PathOverlay): PathEntry {
  return { kind: "summary", position: overlay.from - 0.5, overlay };
}

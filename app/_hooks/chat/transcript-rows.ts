import type { EntryWire, RunWire, SiblingsWire } from "@/lib/chat/wire";
import type { Outgoing } from "./outbox";
import { indexAfter, runOnPath, type TranscriptWindow } from "./transcript-window";

interface RowBase {
  /**
   * Named after the place on the path (the parent), not after the message, so that an answer keeps its element, its
   * height and the focus when it is stored or exchanged for a sibling.
   */
  readonly key: string;
  /** The calendar day that begins with this row, as `YYYY-MM-DD` in the reader's zone. */
  readonly startsDay: string | null;
}

export interface MessageRow extends RowBase {
  readonly kind: "message";
  readonly entry: EntryWire;
}

export interface SeamRow extends RowBase {
  readonly kind: "seam";
  readonly entry: EntryWire;
}

export interface OutgoingRow extends RowBase {
  readonly kind: "outgoing";
  readonly outgoing: Outgoing;
}

export interface RunRow extends RowBase {
  readonly kind: "run";
  readonly run: RunWire;
  readonly siblings: SiblingsWire | null;
}

/** One line of the list. */
export type TranscriptRow = MessageRow | SeamRow | OutgoingRow | RunRow;

export interface TranscriptRowsInput {
  readonly window: TranscriptWindow;
  /** Messages of this session that the server has not acknowledged. */
  readonly outgoing: readonly Outgoing[];
  /** Siblings of answers being written, by run id, as far as they are known here. */
  readonly runSiblings: ReadonlyMap<string, SiblingsWire>;
}

/** What the transcript shows, top to bottom. Keys are unique. */
export function transcriptRows(input: TranscriptRowsInput): readonly TranscriptRow[] {
  const { window, outgoing } = input;
  const drafts: RowDraft[] = pathEntries(window, outgoing).map(
    (entry) => ({ kind: entry.compaction ? "seam" : "message", entry }) as const,
  );
  drafts.push(...outgoing.map((item) => ({ kind: "outgoing", outgoing: item }) as const));
  const run = outgoing.length === 0 ? runOnPath(window) : null;
  if (run) drafts.push({ kind: "run", run, siblings: input.runSiblings.get(run.id) ?? null });
  return finish(drafts);
}

type RowDraft =
  | Omit<MessageRow, keyof RowBase>
  | Omit<SeamRow, keyof RowBase>
  | Omit<OutgoingRow, keyof RowBase>
  | Omit<RunRow, keyof RowBase>;

// An edited question is a sibling: what follows the old one is not on its path, so it leaves the view at once.
function pathEntries(
  window: TranscriptWindow,
  outgoing: readonly Outgoing[],
): readonly EntryWire[] {
  const first = outgoing[0];
  const end = first?.parentId === undefined ? null : indexAfter(window, first.parentId);
  return end === null ? window.entries : window.entries.slice(0, end);
}

function finish(drafts: readonly RowDraft[]): readonly TranscriptRow[] {
  const used = new Set<string>();
  let day: string | null = null;
  return drafts.map((draft) => {
    const ownDay = localDay(timeOf(draft));
    const startsDay = ownDay === day ? null : ownDay;
    day = ownDay;
    return { ...draft, key: unusedKey(keyOf(draft), used), startsDay };
  });
}

function keyOf(draft: RowDraft): string {
  switch (draft.kind) {
    case "message":
      return `after:${draft.entry.parentId ?? "root"}`;
    case "seam":
      return `seam:${draft.entry.compaction?.id ?? draft.entry.message.id}`;
    case "outgoing":
      return `after:${draft.outgoing.parentId ?? "root"}`;
    case "run":
      return `after:${draft.run.parentId}`;
  }
}

function timeOf(draft: RowDraft): string {
  switch (draft.kind) {
    case "message":
    case "seam":
      return draft.entry.createdAt;
    case "outgoing":
      return draft.outgoing.createdAt;
    case "run":
      return draft.run.startedAt;
  }
}

function unusedKey(key: string, used: Set<string>): string {
  let unused = key;
  for (let copy = 2; used.has(unused); copy += 1) unused = `${key}#${copy}`;
  used.add(unused);
  return unused;
}

function localDay(time: string): string {
  const date = new Date(time);
  const month = String(date.getMonth() + 1).padStart(2, "0");
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, "0")}`;
}

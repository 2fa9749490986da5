import type { Outgoing } from "@/app/_data/chat/outbox";
import { dayIn } from "@/app/_ui/reader-day";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import type { AskedAnswer, EntryWire, RunWire, SiblingsWire } from "@/lib/chat/wire/messages";
import { indexAfter, runOnPath, type TranscriptWindow } from "./transcript-window";

interface RowBase {
  /**
   * Keyed by the parent, so that an answer keeps its element, height and focus when stored or replaced by a sibling.
   */
  readonly key: string;
  /** `YYYY-MM-DD` in the reader's zone. */
  readonly startsDay: string | null;
}

interface MessageRow extends RowBase {
  readonly kind: "message";
  readonly entry: EntryWire;
  /** Goes on with the answer after a pause. */
  readonly run: RunWire | null;
}

interface CompactionRow extends RowBase {
  readonly kind: "compaction";
  readonly entry: EntryWire;
  readonly successor: SummaryRunWire | null;
}

interface OutgoingRow extends RowBase {
  readonly kind: "outgoing";
  readonly outgoing: Outgoing;
}

interface RunRow extends RowBase {
  readonly kind: "run";
  readonly run: RunWire;
  readonly siblings: SiblingsWire | null;
  readonly awaited: SummaryRunWire | null;
}

interface SummaryRow extends RowBase {
  readonly kind: "summary";
  readonly summary: SummaryRunWire;
}

/** The answers of several models, of which none is kept yet. */
interface TogetherRow extends RowBase {
  readonly kind: "together";
  readonly question: EntryWire;
  readonly asked: readonly AskedAnswer[];
  /** The one that the next message follows. */
  readonly entry: EntryWire | null;
  readonly runs: readonly RunWire[];
}

export type TranscriptRow =
  | MessageRow
  | CompactionRow
  | OutgoingRow
  | RunRow
  | SummaryRow
  | TogetherRow;

export interface TranscriptRowsInput {
  readonly window: TranscriptWindow;
  readonly outgoing: readonly Outgoing[];
  readonly runSiblings: ReadonlyMap<string, SiblingsWire>;
  /** Of the reader; omitted, that of this machine. */
  readonly zone?: string | undefined;
}

/** Keys are unique. */
export function transcriptRows(input: TranscriptRowsInput): readonly TranscriptRow[] {
  const { window } = input;
  // The server may have stored what it has not acknowledged.
  const stored = new Set(window.entries.map(({ message }) => message.id));
  const outgoing = input.outgoing.filter(({ id }) => !stored.has(id));
  const drafts: RowDraft[] = pathEntries(window, outgoing).map((entry) => entryRow(entry, window));
  drafts.push(...outgoing.map((item) => ({ kind: "outgoing", outgoing: item }) as const));
  const together = outgoing.length === 0 ? togetherAtEnd(window) : null;
  if (together) {
    if (together.entry) drafts.pop();
    drafts.push(together);
  }
  const run = outgoing.length === 0 && !together ? runOnPath(window) : null;
  if (run?.part === 0) {
    const siblings = input.runSiblings.get(run.id) ?? null;
    drafts.push({ kind: "run", run, siblings, awaited: awaitedBy(run, window) });
  }
  return finish(window.summaries.reduce(withSummary, drafts), input.zone);
}

/** The answers of several models that end a path, of which none is kept yet; `null` for any other end. */
export function togetherAtEnd(window: TranscriptWindow): Omit<TogetherRow, keyof RowBase> | null {
  const { entries, hasNewer, runs } = window;
  const last = entries.at(-1);
  if (hasNewer || !last || last.compaction) return null;
  const isAnswer = last.message.role === "assistant";
  const question = isAnswer ? entries.at(-2) : last;
  const { together: asked, kept } = question?.message.metadata ?? {};
  if (!question || !asked || kept !== undefined || question.compaction) return null;
  const isAsked = (id: string) => asked.some(({ answerId }) => answerId === id);
  if (isAnswer && (last.parentId !== question.message.id || !isAsked(last.message.id))) return null;
  const own = runs.filter(({ messageId }) => isAsked(messageId));
  return { kind: "together", question, asked, entry: isAnswer ? last : null, runs: own };
}

function entryRow(entry: EntryWire, { summaries, runs }: TranscriptWindow): RowDraft {
  const { compaction, message } = entry;
  if (!compaction) {
    const run = runs.find(({ part, messageId }) => part > 0 && messageId === message.id) ?? null;
    return { kind: "message", entry, run };
  }
  const successor = summaries.find(({ replaces }) => replaces === compaction.id) ?? null;
  return { kind: "compaction", entry, successor };
}

function awaitedBy({ parentId }: RunWire, { summaries }: TranscriptWindow): SummaryRunWire | null {
  const isAwaited = ({ status, isManual, leafId }: SummaryRunWire) =>
    status === "running" && !isManual && leafId === parentId;
  return summaries.find(isAwaited) ?? null;
}

/** A summary being rewritten stays in its row. */
function withSummary(drafts: RowDraft[], summary: SummaryRunWire): RowDraft[] {
  const { toMessageId, replaces, startedAt } = summary;
  const last = drafts.findLastIndex((row) => endsWith(row, toMessageId));
  const place = drafts[last];
  if (!place || replaces !== null) return drafts;
  // A page read just after a summary was stored may still list its run.
  const isThere =
    place.kind === "compaction" && (place.entry.compaction?.createdAt ?? "") >= startedAt;
  return isThere ? drafts : drafts.toSpliced(last + 1, 0, { kind: "summary", summary });
}

/** Includes a summary that ends with the message. */
function endsWith(row: RowDraft, messageId: string): boolean {
  if (row.kind !== "message" && row.kind !== "compaction") return false;
  return row.entry.message.id === messageId || row.entry.compaction?.toMessageId === messageId;
}

type RowDraft =
  | Omit<MessageRow, keyof RowBase>
  | Omit<CompactionRow, keyof RowBase>
  | Omit<OutgoingRow, keyof RowBase>
  | Omit<RunRow, keyof RowBase>
  | Omit<SummaryRow, keyof RowBase>
  | Omit<TogetherRow, keyof RowBase>;

// An edited question is a sibling, so what follows the old one disappears at once.
function pathEntries(
  window: TranscriptWindow,
  outgoing: readonly Outgoing[],
): readonly EntryWire[] {
  const first = outgoing[0];
  const end = first?.parentId === undefined ? null : indexAfter(window, first.parentId);
  return end === null ? window.entries : window.entries.slice(0, end);
}

function finish(drafts: readonly RowDraft[], zone?: string): readonly TranscriptRow[] {
  const used = new Set<string>();
  let day: string | null = null;
  return drafts.map((draft) => {
    const time = timeOf(draft);
    const ownDay = time === null ? day : dayIn(new Date(time), zone);
    const startsDay = ownDay === day ? null : ownDay;
    day = ownDay;
    return { ...draft, key: unusedKey(keyOf(draft), used), startsDay };
  });
}

function keyOf(draft: RowDraft): string {
  switch (draft.kind) {
    case "message":
      return `after:${draft.entry.parentId ?? "root"}`;
    case "compaction":
      return `compaction:${draft.entry.compaction?.id ?? draft.entry.message.id}`;
    case "outgoing":
      return `after:${draft.outgoing.parentId ?? "root"}`;
    case "run":
      return `after:${draft.run.parentId}`;
    case "together":
      return `together:${draft.question.message.id}`;
    case "summary":
      return `summary:${draft.summary.id}`;
  }
}

/** `null` for rows without a date. */
function timeOf(draft: RowDraft): string | null {
  switch (draft.kind) {
    case "message":
    case "compaction":
      return draft.entry.createdAt;
    case "outgoing":
      return draft.outgoing.createdAt;
    case "run":
      return draft.run.startedAt;
    case "together":
      return draft.question.createdAt;
    case "summary":
      return null;
  }
}

function unusedKey(key: string, used: Set<string>): string {
  let unused = key;
  for (let copy = 2; used.has(unused); copy += 1) unused = `${key}#${copy}`;
  used.add(unused);
  return unused;
}

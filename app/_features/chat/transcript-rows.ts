import type { Outgoing } from "@/app/_data/chat/outbox";
import { isFollower } from "@/app/_message/joined-calls";
import { dayOf } from "@/app/_ui/reader-day";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import type { AskedAnswer, EntryWire, RunWire, SiblingsWire } from "@/lib/chat/wire/messages";
import { indexAfter, type LoadedTranscript, runOnPath } from "./transcript-window";

interface RowBase {
  /** Keyed by the parent, so that an answer keeps its element, height and focus when stored or replaced. */
  readonly key: string;
  readonly startsDay: string | null;
}

interface TranscriptMessage extends RowBase {
  readonly kind: "message";
  readonly entry: EntryWire;
  readonly followers: readonly EntryWire[];
  readonly run: RunWire | null;
}

interface TranscriptCompaction extends RowBase {
  readonly kind: "compaction";
  readonly entry: EntryWire;
  readonly successor: SummaryRunWire | null;
}

interface OutgoingRow extends RowBase {
  readonly kind: "outgoing";
  readonly outgoing: Outgoing;
}

interface TranscriptRun extends RowBase {
  readonly kind: "run";
  readonly run: RunWire;
  readonly siblings: SiblingsWire | null;
  readonly awaited: SummaryRunWire | null;
}

interface SummaryRow extends RowBase {
  readonly kind: "summary";
  readonly summary: SummaryRunWire;
}

interface TogetherRow extends RowBase {
  readonly kind: "together";
  readonly question: EntryWire;
  readonly asked: readonly AskedAnswer[];
  readonly entry: EntryWire | null;
  readonly runs: readonly RunWire[];
}

export type TranscriptRow =
  | TranscriptMessage
  | TranscriptCompaction
  | OutgoingRow
  | TranscriptRun
  | SummaryRow
  | TogetherRow;

export interface TranscriptRowsInput {
  readonly window: LoadedTranscript;
  readonly outgoing: readonly Outgoing[];
  readonly runSiblings: ReadonlyMap<string, SiblingsWire>;
}

export function transcriptRows(input: TranscriptRowsInput): readonly TranscriptRow[] {
  const { window } = input;
  // The server may have stored what it has not acknowledged.
  const stored = new Set(window.entries.map(({ message }) => message.id));
  const outgoing = input.outgoing.filter(({ id }) => !stored.has(id));
  const drafts = entryRows(pathEntries(window, outgoing), window);
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
  return finish(window.summaries.reduce(withSummary, drafts));
}

export function togetherAtEnd(window: LoadedTranscript): Omit<TogetherRow, keyof RowBase> | null {
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

function entryRows(entries: readonly EntryWire[], window: LoadedTranscript): RowDraft[] {
  const rows: RowDraft[] = [];
  let followers: EntryWire[] = [];
  for (const entry of entries) {
    const row = entryRow(entry, window);
    const last = rows.at(-1);
    if (last && row.kind === "message" && takesUp(last, row)) followers.push(entry);
    else {
      followers = [];
      rows.push(row.kind === "message" ? { ...row, followers } : row);
    }
  }
  return rows;
}

type MessageDraft = Omit<TranscriptMessage, keyof RowBase>;

function takesUp(last: RowDraft, next: MessageDraft): last is MessageDraft {
  if (last.kind !== "message" || last.run || next.run || last.entry.isWaiting) return false;
  const { role, metadata } = last.entry.message;
  if (role !== "assistant" || metadata?.note) return false;
  return isFollower(next.entry, last.followers.at(-1) ?? last.entry);
}

function entryRow(entry: EntryWire, { summaries, runs }: LoadedTranscript): RowDraft {
  const { compaction, message } = entry;
  if (!compaction) {
    const run = runs.find(({ part, messageId }) => part > 0 && messageId === message.id) ?? null;
    return { kind: "message", entry, followers: [], run };
  }
  const successor = summaries.find(({ replaces }) => replaces === compaction.id) ?? null;
  return { kind: "compaction", entry, successor };
}

function awaitedBy({ parentId }: RunWire, { summaries }: LoadedTranscript): SummaryRunWire | null {
  const isAwaited = ({ status, isManual, leafId }: SummaryRunWire) =>
    status === "running" && !isManual && leafId === parentId;
  return summaries.find(isAwaited) ?? null;
}

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

function endsWith(row: RowDraft, messageId: string): boolean {
  if (row.kind !== "message" && row.kind !== "compaction") return false;
  return holdsMessage(row, messageId) || row.entry.compaction?.toMessageId === messageId;
}

export function holdsMessage(
  row: Pick<TranscriptMessage | TranscriptCompaction, "entry"> &
    Partial<Pick<TranscriptMessage, "followers">>,
  messageId: string | null,
): boolean {
  const { entry, followers = [] } = row;
  return (
    entry.message.id === messageId || followers.some(({ message }) => message.id === messageId)
  );
}

type RowDraft =
  | MessageDraft
  | Omit<TranscriptCompaction, keyof RowBase>
  | Omit<OutgoingRow, keyof RowBase>
  | Omit<TranscriptRun, keyof RowBase>
  | Omit<SummaryRow, keyof RowBase>
  | Omit<TogetherRow, keyof RowBase>;

function pathEntries(
  window: LoadedTranscript,
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
    const time = timeOf(draft);
    const ownDay = time === null ? day : dayOf(new Date(time));
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

function timeOf(draft: RowDraft): string | null {
  switch (draft.kind) {
    case "message":
      return draft.entry.createdAt;
    case "outgoing":
      return draft.outgoing.createdAt;
    case "run":
      return draft.run.startedAt;
    case "together":
      return draft.question.createdAt;
    case "compaction":
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

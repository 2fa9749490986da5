import type { SessionMessagePart } from "grove-session";
import type { ImportReportWire } from "@/lib/chat/wire/data";
import { missingFiles } from "@/lib/history/chat-records";
import type { FoundChat, FoundProblem } from "@/lib/history/found-chats";
import { unreadWords } from "@/lib/history/unread-words";

export type ImportedOutcome = ImportReportWire["outcomes"][number];

export interface HistoryImport {
  /** An import can continue after `failed` and `stopped`. */
  readonly phase:
    | "reading"
    | "unreadable"
    | "review"
    | "importing"
    | "stopping"
    | "stopped"
    | "failed"
    | "done";
  /** Share of the file read, from 0 to 1. */
  readonly share: number;
  readonly chats: readonly FoundChat[];
  readonly problems: readonly FoundProblem[];
  readonly instructions: readonly string[];
  readonly takesInstructions: boolean;
  readonly excluded: ReadonlySet<string>;
  readonly outcomes: ReadonlyMap<string, ImportedOutcome>;
  readonly error: string | null;
}

export const nothingRead: HistoryImport = {
  phase: "reading",
  share: 0,
  chats: [],
  problems: [],
  instructions: [],
  takesInstructions: true,
  excluded: new Set(),
  outcomes: new Map(),
  error: null,
};

export function productOf({ chats }: HistoryImport): string {
  return [...new Set(chats.map(({ product }) => product))].slice(0, 5).join(", ");
}

export function chosenChats({ chats, excluded }: HistoryImport): readonly FoundChat[] {
  return chats.filter(({ id }) => !excluded.has(id));
}

export function openChats(given: HistoryImport): readonly FoundChat[] {
  return chosenChats(given).filter(({ id }) => !given.outcomes.has(id));
}

export function withReport(
  given: HistoryImport,
  { ids, report }: { ids: readonly string[]; report: ImportReportWire },
): HistoryImport {
  const outcomes = new Map(given.outcomes);
  for (const outcome of report.outcomes) outcomes.set(outcome.id, outcome);
  const message = report.problems[0]?.message ?? "The server did not name it.";
  for (const id of ids)
    if (!outcomes.has(id)) outcomes.set(id, { id, sessionId: id, outcome: "failed", message });
  return { ...given, outcomes };
}

export function tally(
  outcomes: HistoryImport["outcomes"],
): Record<ImportedOutcome["outcome"], number> {
  const counts = { imported: 0, already: 0, restored: 0, failed: 0 };
  for (const { outcome } of outcomes.values()) counts[outcome]++;
  return counts;
}

export function unseenBranches({ chats, outcomes }: HistoryImport): {
  readonly count: number;
  readonly chats: readonly (FoundChat & { readonly sessionId: string })[];
} {
  const branched = chats.flatMap((chat) => {
    const outcome = outcomes.get(chat.id);
    const isHere = outcome?.outcome === "imported" || outcome?.outcome === "restored";
    return isHere && chat.branches > 1 ? [{ ...chat, sessionId: outcome.sessionId }] : [];
  });
  return {
    count: branched.reduce((sum, { branches }) => sum + branches - 1, 0),
    chats: branched.toSorted((one, other) => other.branches - one.branches).slice(0, 5),
  };
}

const named = [missingFiles, unreadWords];

export function lossesOf(chats: readonly FoundChat[]): readonly [string, number][] {
  const counts = new Map<string, number>();
  for (const { losses } of chats)
    for (const loss of losses) {
      const begin = named.find((each) => loss.startsWith(each));
      const kind = begin?.replace(":", ".") ?? loss;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  return [...counts].sort(([, one], [, other]) => other - one);
}

export type WorkerRequest =
  | { readonly type: "read"; readonly files: readonly File[] }
  | { readonly type: "convert"; readonly files: readonly File[]; readonly ids: readonly string[] }
  | { readonly type: "next" }
  /** `null` when the file could not be stored. */
  | { readonly type: "stored"; readonly part: SessionMessagePart | null };

export type WorkerReply =
  | {
      readonly type: "found";
      readonly share: number;
      readonly chats: readonly FoundChat[];
      readonly problems: readonly FoundProblem[];
    }
  | { readonly type: "read"; readonly instructions: readonly string[] }
  /** A file must be stored before its chat. */
  | { readonly type: "file"; readonly name: string; readonly blob: Blob }
  | { readonly type: "batch"; readonly ids: readonly string[]; readonly file: Blob }
  | { readonly type: "converted" }
  | { readonly type: "failed"; readonly message: string };

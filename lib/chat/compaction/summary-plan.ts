import type { RunRecord } from "@/lib/chat/answering/run-store";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { MessageNotFoundError, type SessionMessage } from "@/lib/session";

/** What a summary is to stand for, as it is known when it begins. */
export interface SummaryPlan {
  /** Stored messages, never summaries. */
  readonly fromMessageId: string;
  readonly toMessageId: string;
  /** Where these are on their path, counted from 1 at the root. */
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly focus: string | null;
  /** The summary it is to take the place of. */
  readonly replaces: string | null;
  /** A person asked for it; otherwise the window was about to overflow. */
  readonly byHand: boolean;
}

const regrowth = 1.2;

/**
 * Whether a summary that nobody asked for is to be tried, given the newest one of its session. One that failed or was
 * stopped is not begun again at every answer, but when the conversation has grown by a fifth, or for another model.
 */
export function isWorthTrying(
  { plan, model }: { plan: SummaryPlan; model: string },
  newest: RunRecord | null,
): boolean {
  if (plan.byHand || newest === null || newest.model !== model) return true;
  if (newest.status !== "failed" && newest.status !== "stopped") return true;
  return plan.lastPosition >= planOf(newest).lastPosition * regrowth;
}

/** The plan of a run that is a summary. */
export function planOf({ plan }: Pick<RunRecord, "plan">): SummaryPlan {
  return plan as SummaryPlan;
}

/** The ends of what is about to be summarized, behind the summaries that may stand there. */
export async function summaryRange(
  owner: OwnerData,
  sessionId: string,
  messages: readonly SessionMessage[],
): Promise<Pick<SummaryPlan, "fromMessageId" | "toMessageId" | "firstPosition" | "lastPosition">> {
  const fromMessageId = standsFor(messages[0]).fromMessageId;
  const toMessageId = standsFor(messages.at(-1)).toMessageId;
  const [firstPosition, lastPosition] = await Promise.all(
    [fromMessageId, toMessageId].map((id) => positionOf(owner, sessionId, id)),
  );
  return {
    fromMessageId,
    toMessageId,
    firstPosition: firstPosition ?? 1,
    lastPosition: lastPosition ?? 1,
  };
}

function standsFor(message: SessionMessage | undefined) {
  const id = message?.id ?? "";
  const { compaction } = (message?.metadata ?? {}) as GroveMetadata;
  return compaction ?? { fromMessageId: id, toMessageId: id };
}

async function positionOf(owner: OwnerData, sessionId: string, leafId: string): Promise<number> {
  const messages = owner.store.messages(sessionId);
  const { entries } = await messages.getWindow({ leafId, limit: 1, overlays: false });
  const entry = entries.at(-1);
  if (!entry) throw new MessageNotFoundError(leafId);
  return entry.position;
}

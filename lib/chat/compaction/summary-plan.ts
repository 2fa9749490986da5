import type { RunRecord } from "@/lib/chat/answering/run-store";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { MessageNotFoundError, type SessionMessage } from "@/lib/session";

/** A summary's range and purpose, known when it begins. */
export interface SummaryPlan {
  /** Stored messages, never summaries. */
  readonly fromMessageId: string;
  readonly toMessageId: string;
  /** Position on the path, counted from 1 at the root. */
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly focus: string | null;
  /** The summary it replaces. */
  readonly replaces: string | null;
  /** Requested by a person; otherwise automatic. */
  readonly byHand: boolean;
}

const regrowth = 1.2;

/**
 * Decides if an automatic summary should be tried, given the newest one of its session. After a failure or stop it
 * waits until the conversation has grown by 20%, or the model changes.
 */
export function isWorthTrying(
  { plan, model }: { plan: SummaryPlan; model: string },
  newest: RunRecord | null,
): boolean {
  if (plan.byHand || newest === null || newest.model !== model) return true;
  if (newest.status !== "failed" && newest.status !== "stopped") return true;
  return plan.lastPosition >= planOf(newest).lastPosition * regrowth;
}

export function planOf({ plan }: Pick<RunRecord, "plan">): SummaryPlan {
  return plan as SummaryPlan;
}

/** The ends of the range, resolved through existing summaries. */
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

import { MessageNotFoundError, type SessionMessage } from "grove-session";
import { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { GroveMetadata } from "@/lib/chat/wire/messages";

const planSchema = z.object({
  fromMessageId: z.string(),
  toMessageId: z.string(),
  firstPosition: z.number(),
  lastPosition: z.number(),
  focus: z.string().nullable(),
  replaces: z.string().nullable(),
  isManual: z.boolean(),
});

export type SummaryPlan = Readonly<z.infer<typeof planSchema>>;

const regrowth = 1.2;

/**
 * After a failure or stop of the newest summary, waits until the conversation has grown by 20%, or the model changes.
 */
export function isWorthTrying(
  { plan, model }: { plan: SummaryPlan; model: string },
  newest: RunRecord | null,
): boolean {
  if (plan.isManual || newest === null || newest.model !== model) return true;
  if (newest.status !== "failed" && newest.status !== "stopped") return true;
  return plan.lastPosition >= planOf(newest).lastPosition * regrowth;
}

export function planOf({ plan }: Pick<RunRecord, "plan">): SummaryPlan {
  return planSchema.parse(plan);
}

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

import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { SessionMessagePart } from "@/lib/session";
import { isToolPart } from "@/lib/session/internal";

const decisionSchema = z.object({
  approved: z.boolean(),
  /** As the person changed it. */
  input: z.record(z.string(), z.unknown()).optional(),
  /** For the model. */
  reason: z.string().optional(),
});
export type Decision = z.output<typeof decisionSchema>;

const pauseSchema = z.object({
  /** Of this answer, from 1. */
  number: z.int(),
  calls: z.array(
    z.object({
      approvalId: z.string(),
      toolCallId: z.string(),
      decision: decisionSchema.nullable(),
    }),
  ),
});

/** Calls of an answer that wait, or waited, for the person's word. Stored with its run, where each is decided once. */
export type Pause = z.output<typeof pauseSchema>;

/** The newest pause of a run. @throws when it was stored by another version. */
export function pauseOf({ pause }: Pick<RunRecord, "pause">): Pause | null {
  return pauseSchema.nullable().parse(pause);
}

/** Counts the pauses of a run. Its chunks begin again after each. */
export function partOf(run: Pick<RunRecord, "pause">): number {
  return pauseOf(run)?.number ?? 0;
}

/** `null` when no call of an answer waits. */
export function pauseIn(parts: readonly SessionMessagePart[], before: number): Pause | null {
  const calls = parts.flatMap(({ state, toolCallId, approval }) => {
    const id = approvalSchema.safeParse(approval).data?.id;
    if (state !== "approval-requested" || id === undefined) return [];
    return [{ approvalId: id, toolCallId: String(toolCallId), decision: null }];
  });
  return calls.length === 0 ? null : { number: before + 1, calls };
}

const approvalSchema = z.object({ id: z.string() });

/** @throws {ChatError} when the call is unknown or was decided. */
export function undecided({ calls }: Pause, approvalId: string): Pause["calls"][number] {
  const call = calls.find((each) => each.approvalId === approvalId);
  if (!call) throw new ChatError("approval-not-found", "This request does not exist.");
  if (call.decision) throw approvalDecided();
  return call;
}

/** @throws {ChatError} when the call is unknown or was decided. */
export function decided(pause: Pause, approvalId: string, decision: Decision): Pause {
  const call = undecided(pause, approvalId);
  const calls = pause.calls.map((each) => (each === call ? { ...each, decision } : each));
  return { ...pause, calls };
}

const withdrawnReason = "The person went on without it.";

/** Declines what is still undecided. */
export function withdrawn(pause: Pause): Pause {
  const decision = { approved: false, reason: withdrawnReason };
  const calls = pause.calls.map((call) => ({ ...call, decision: call.decision ?? decision }));
  return { ...pause, calls };
}

/** The answer goes on with its decision. */
export function isLastUndecided({ calls }: Pause): boolean {
  return calls.filter(({ decision }) => decision === null).length === 1;
}

export function approvalDecided(): ChatError {
  return new ChatError("approval-decided", "This was decided already.");
}

/** The parts of an answer with what was decided, as the model reads them. */
export function withDecisions(
  parts: readonly SessionMessagePart[],
  { calls }: Pause,
): SessionMessagePart[] {
  return parts.map((part) => {
    if (!isToolPart(part) || part.state !== "approval-requested") return part;
    const decision = calls.find(({ toolCallId }) => toolCallId === part.toolCallId)?.decision;
    if (!decision) return part;
    const { approved, reason, input } = decision;
    // The schema's view of the model's own input would overrule a changed one.
    const { inputSchemaInput: _, ...approval } = part.approval as Record<string, unknown>;
    return {
      ...part,
      state: "approval-responded",
      approval: { ...approval, approved, ...(reason !== undefined && { reason }) },
      ...(input !== undefined && { input }),
    };
  });
}

/** The parts of an answer that does not go on: none of its calls is made. */
export function withoutCalls(
  parts: readonly SessionMessagePart[],
  { calls }: Pause,
): SessionMessagePart[] {
  return parts.map((part) => {
    if (!calls.some(({ toolCallId }) => toolCallId === part.toolCallId)) return part;
    const approval = { ...(part.approval as object), approved: false, reason: withdrawnReason };
    return { ...part, state: "output-denied", approval };
  });
}

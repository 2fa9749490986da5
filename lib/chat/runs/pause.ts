import type { SessionMessage, SessionMessagePart } from "grove-session";
import { isToolPart } from "grove-session";
import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { RunRecord } from "@/lib/chat/core/run-store";

const decisionSchema = z.object({
  approved: z.boolean(),
  input: z.record(z.string(), z.unknown()).optional(),
  reason: z.string().optional(),
});
export type Decision = z.output<typeof decisionSchema>;

const pauseSchema = z.object({
  number: z.int(),
  calls: z.array(
    z.object({
      approvalId: z.string(),
      toolCallId: z.string(),
      decision: decisionSchema.nullable(),
    }),
  ),
});

/** A pause is stored with its run, where each call is decided once. */
export type Pause = z.output<typeof pauseSchema>;

/** @throws when another version stored it. */
export function pauseOf({ pause }: Pick<RunRecord, "pause">): Pause | null {
  return pauseSchema.nullable().parse(pause);
}

/** Counts the pauses of a run. Its chunks begin again after each. */
export function partOf(run: Pick<RunRecord, "pause">): number {
  return pauseOf(run)?.number ?? 0;
}

export function isAboutToWait({ status, request }: Pick<RunRecord, "status" | "request">): boolean {
  return status === "running" && request === null;
}

export function pauseIn(parts: readonly SessionMessagePart[], before: number): Pause | null {
  const calls = parts.flatMap(({ state, toolCallId, approval }) => {
    const id = approvalSchema.safeParse(approval).data?.id;
    if (state !== "approval-requested" || id === undefined) return [];
    return [{ approvalId: id, toolCallId: String(toolCallId), decision: null }];
  });
  return calls.length === 0 ? null : { number: before + 1, calls };
}

const approvalSchema = z.object({ id: z.string() });

export function undecided({ calls }: Pause, approvalId: string): Pause["calls"][number] {
  const call = calls.find((each) => each.approvalId === approvalId);
  if (!call) throw new ChatError("approval-not-found", "This request does not exist.");
  if (call.decision) throw approvalDecided();
  return call;
}

export function decided(pause: Pause, approvalId: string, decision: Decision): Pause {
  const call = undecided(pause, approvalId);
  const calls = pause.calls.map((each) => (each === call ? { ...each, decision } : each));
  return { ...pause, calls };
}

export function isLastUndecided({ calls }: Pause): boolean {
  return calls.filter(({ decision }) => decision === null).length === 1;
}

export function approvalDecided(): ChatError {
  return new ChatError("approval-decided", "This was decided already.");
}

export function withDecisions(
  parts: readonly SessionMessagePart[],
  { calls }: Pause,
): SessionMessagePart[] {
  return parts.map((part) => {
    const decision = calls.find(({ toolCallId }) => toolCallId === part.toolCallId)?.decision;
    if (!isToolPart(part) || !decision) return part;
    const { approved, reason, input } = decision;
    const {
      output: _o,
      errorText: _e,
      preliminary: _p,
      resultProviderMetadata: _m,
      ...call
    } = part;
    // The schema's view of the model's own input would overrule a changed one.
    const { inputSchemaInput: _, ...approval } = part.approval as Record<string, unknown>;
    return {
      ...call,
      type: part.type,
      state: "approval-responded",
      approval: { ...approval, approved, ...(reason !== undefined && { reason }) },
      ...(input !== undefined && { input }),
    };
  });
}

const withdrawnReason = "The person went on without it.";
const denied = "The person did not allow this call.";

const denialSchema = z.object({ approved: z.literal(false), reason: z.string().optional() });

/** The model reads a sentence around the person's reason, which alone is stored. */
export function withDenialsTold<Message extends SessionMessage>(message: Message): Message {
  if (!message.parts.some(isDenied)) return message;
  return { ...message, parts: message.parts.map((part) => (isDenied(part) ? told(part) : part)) };
}

function isDenied(part: SessionMessagePart): boolean {
  return isToolPart(part) && denialSchema.safeParse(part.approval).success;
}

function told(part: SessionMessagePart): SessionMessagePart {
  const { reason } = denialSchema.parse(part.approval);
  if (reason === withdrawnReason) return part;
  const words = reason === undefined ? denied : `${denied} Reason: ${reason}`;
  return { ...part, approval: { ...Object(part.approval), reason: words } };
}

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

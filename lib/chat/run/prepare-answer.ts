import { openSession } from "@/lib/chat/open-session";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { ResolvedModel } from "@/lib/llm";
import type { LoadedSkill, Session } from "@/lib/session";
import { type AnswerInput, answerInput, type Summarizing } from "./answer-input";
import type { NewRun } from "./run-store";

export interface PrepareOptions {
  readonly owner: OwnerData;
  readonly run: NewRun;
  readonly resolved: ResolvedModel;
  readonly memoryMode: MemoryMode;
  readonly signal: AbortSignal;
  readonly summarize: Summarizing;
  /** Hears of what the model wants to write in a session that asks first. */
  readonly onProposal: () => void;
}

export interface PreparedAnswer {
  readonly session: Session;
  /** Filled with what the model's searches find. */
  readonly found: readonly LoadedSkill[];
  /** @throws what went wrong with reading it. */
  input(): Promise<AnswerInput>;
}

/**
 * Begins to read what the model is to be given. It is read while the run is being written down, since the first word
 * waits for both. Nothing is folded when the answer is stored, but before the next one needs the room.
 */
export function prepareAnswer(options: PrepareOptions): PreparedAnswer {
  const { owner, run, resolved, memoryMode, signal, summarize, onProposal } = options;
  const session = openSession(owner, run.sessionId);
  const found: LoadedSkill[] = [];
  const reading = Promise.allSettled([
    answerInput({
      owner,
      session,
      resolved,
      parentId: run.parentId,
      provenance: { author: "model", sessionId: run.sessionId, messageId: run.messageId },
      memoryMode,
      signal,
      summarize,
      onProposal,
      onFound: (entry) => void found.push(entry),
    }),
  ]);
  const input = async () => {
    const [read] = await reading;
    if (read.status === "rejected") throw read.reason;
    return read.value;
  };
  return { session, found, input };
}

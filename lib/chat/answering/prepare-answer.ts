import type { OwnerData } from "@/lib/chat/owner-data";
import { openSession } from "@/lib/chat/sessions/open-session";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { ResolvedModel } from "@/lib/llm";
import type { LoadedSkill, Session } from "@/lib/session";
import { type AnswerInput, answerInput, type Summarize } from "./answer-input";
import type { SentInFull } from "./model-input";
import type { NewRun } from "./run-store";

export interface PrepareOptions {
  readonly owner: OwnerData;
  readonly run: NewRun;
  readonly resolved: ResolvedModel;
  readonly memoryMode: MemoryMode;
  readonly sentInFull: SentInFull;
  readonly signal: AbortSignal;
  readonly summarize: Summarize;
}

export interface PreparedAnswer {
  /** The conversation; opened again when that did not succeed the first time. @throws what went wrong with it. */
  session(): Promise<Session>;
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
  const { owner, run, resolved, memoryMode, sentInFull, signal, summarize } = options;
  const open = () => openSession(owner, run.sessionId);
  const found: LoadedSkill[] = [];
  const opening = open();
  const read = async () =>
    answerInput({
      owner,
      session: await opening,
      resolved,
      parentId: run.parentId,
      provenance: { author: "model", sessionId: run.sessionId, messageId: run.messageId },
      memoryMode,
      sentInFull,
      signal,
      summarize,
      onFound: (entry) => void found.push(entry),
    });
  const reading = Promise.allSettled([read()]);
  const input = async () => {
    const [answer] = await reading;
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  };
  return { session: () => opening.catch(open), found, input };
}

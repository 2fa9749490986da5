import type { OwnerData } from "@/lib/chat/owner-data";
import { openSession } from "@/lib/chat/sessions/open-session";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { ResolvedModel } from "@/lib/llm";
import type { LoadedSkill, Session } from "@/lib/session";
import { type AnswerInput, answerInput, type Summarize } from "./answer-input";
import type { SentInFull } from "./model-input";
import type { ProgramCall } from "./program-call";
import type { NewRun } from "./run-store";

export interface PrepareOptions {
  readonly owner: OwnerData;
  readonly run: NewRun;
  readonly resolved: ResolvedModel;
  readonly memoryMode: MemoryMode;
  readonly sentInFull: SentInFull;
  readonly signal: AbortSignal;
  readonly summarize: Summarize;
  readonly program?: ProgramCall | undefined;
}

export interface PreparedAnswer {
  /** Retries after a failure. @throws the last failure. */
  session(): Promise<Session>;
  readonly found: readonly LoadedSkill[];
  /** @throws when reading fails. */
  input(): Promise<AnswerInput>;
}

/**
 * Reads while the run is being stored, since the first word waits for both. Compaction happens before the answer that
 * needs the space.
 */
export function prepareAnswer(options: PrepareOptions): PreparedAnswer {
  const { owner, run, resolved, memoryMode, sentInFull, signal, summarize, program } = options;
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
      program,
    });
  const reading = Promise.allSettled([read()]);
  const input = async () => {
    const [answer] = await reading;
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  };
  return { session: () => opening.catch(open), found, input };
}

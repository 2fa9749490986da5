import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { NewRun } from "@/lib/chat/core/run-store";
import { retry } from "@/lib/chat/runs/retry";
import { blocksOf, knownBlocks } from "@/lib/chat/sessions/blocks";
import { openInPassing, openWith } from "@/lib/chat/sessions/open-session";
import type { LoadedSkill } from "@/lib/session";
import type { Block } from "@/lib/session/internal";
import { type AnswerInput, type AnswerSettings, answerInput, type Summarize } from "./answer-input";
import type { KeptAnswer } from "./kept-answer";

export interface PrepareOptions extends AnswerSettings {
  readonly owner: OwnerData;
  readonly run: Pick<NewRun, "sessionId" | "messageId">;
  readonly leafId: string;
  readonly leafStored?: Promise<void> | undefined;
  readonly kept?: KeptAnswer | undefined;
  /** Of the session, when they were read already. */
  readonly blocks?: readonly Block[] | undefined;
  readonly signal: AbortSignal;
  readonly summarize: Summarize;
}

export interface PreparedAnswer {
  readonly found: readonly LoadedSkill[];
  /** Waits for an absent database. @throws when reading fails, or is aborted meanwhile. */
  input(): Promise<AnswerInput>;
  /** Closes what its tools opened; once, after the run. */
  end(): Promise<void>;
}

/**
 * Reads while the question and the run are being stored, since the first word waits for all. Compaction happens before
 * the answer that needs the space.
 */
export function prepareAnswer(options: PrepareOptions): PreparedAnswer {
  const { owner, run, signal } = options;
  const open = async (read?: readonly Block[]) => {
    const all = await blocksOf(owner, run.sessionId, read);
    const known = options.program?.blocks ?? null;
    const blocks = knownBlocks(all, known);
    // The prompt that is kept for the chat holds all of memory.
    const openFor = known === null ? openWith : openInPassing;
    return { blocks, session: openFor(owner, run.sessionId, blocks) };
  };
  const found: LoadedSkill[] = [];
  const opened: (() => Promise<void> | void)[] = [];
  const opening = open(options.blocks);
  const openedOrAgain = () => opening.catch(() => open());
  const read = async () =>
    answerInput({
      ...options,
      ...(await openedOrAgain()),
      leafId: options.leafId,
      provenance: { author: "model", sessionId: run.sessionId, messageId: run.messageId },
      onFound: (entry) => void found.push(entry),
      atEnd: (close) => void opened.push(close),
    });
  const reading = Promise.allSettled([retry(read, { tries: 1, signal })]);
  const input = async () => {
    const [answer] = await reading;
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  };
  const end = async () => {
    await Promise.allSettled(opened.splice(0).map(async (close) => close()));
  };
  return { found, input, end };
}

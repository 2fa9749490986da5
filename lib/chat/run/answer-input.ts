import type { ToolSet } from "ai";
import { offeredTools } from "@/lib/chat/offered-tools";
import { openSession } from "@/lib/chat/open-session";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { ResolvedModel } from "@/lib/llm";
import {
  type FrozenText,
  type HistoryMessage,
  type LoadedSkill,
  type Session,
  type StoredMessage,
  truncateOlderMessages,
  type WriteProvenance,
} from "@/lib/session";
import type { SummaryHooks, SummaryWish } from "./write-summary";

export interface AnswerInput {
  readonly instructions: string;
  readonly messages: readonly StoredMessage[];
  readonly tools: ToolSet;
  /** The versions of the blocks in the instructions, by label. */
  readonly versions: FrozenText["versions"];
  readonly skills: readonly LoadedSkill[];
  readonly gatheredAt: Date;
}

/** Does what may have a summary written, where that can be seen. */
export type Summarizing = <Result>(
  wish: SummaryWish,
  act: (hooks: SummaryHooks) => Promise<Result>,
) => Promise<Result>;

export interface InputOptions {
  readonly owner: OwnerData;
  readonly session: Session;
  readonly resolved: ResolvedModel;
  /** The question. */
  readonly parentId: string;
  readonly provenance: WriteProvenance;
  readonly memoryMode: MemoryMode;
  /** Stops a compaction that comes first. */
  readonly signal?: AbortSignal | undefined;
  readonly summarize: Summarizing;
  readonly onProposal: () => void;
  /** Hears of every entry that a search has given to the model. */
  readonly onFound: (entry: { readonly label: string; readonly key: string }) => void;
}

/** Everything a model is given for one answer, compacted first if it must be. Read at the same time: the model waits for it. */
export async function answerInput(options: InputOptions): Promise<AnswerInput> {
  const { session, parentId } = options;
  const [{ history, prompt }, skills, tools] = await Promise.all([
    historyAndPrompt(options),
    session.getLoadedSkills(parentId),
    offeredTools({ ...options, leafId: parentId }),
  ]);
  return {
    instructions: prompt.prompt,
    messages: truncateOlderMessages(history) as StoredMessage[],
    tools,
    versions: prompt.versions,
    skills,
    gatheredAt: new Date(),
  };
}

/** A compaction renders the prompt anew, so after one it is read again. */
async function historyAndPrompt(
  options: InputOptions,
): Promise<{ history: HistoryMessage[]; prompt: FrozenText }> {
  const { session } = options;
  let wasCompacted = false;
  const stopListening = session.on("compact", () => {
    wasCompacted = true;
  });
  try {
    const [history, prompt] = await Promise.all([
      fittingHistory(options),
      session.freezeVersionedPrompt(),
    ]);
    return { history, prompt: wasCompacted ? await session.freezeVersionedPrompt() : prompt };
  } finally {
    stopListening();
  }
}

function fittingHistory({
  owner,
  session: { id: sessionId },
  resolved,
  parentId: leafId,
  signal,
  summarize,
}: InputOptions): Promise<HistoryMessage[]> {
  const wish = { sessionId, leafId, resolved, byHand: false, signal };
  return summarize(wish, async (hooks) => {
    const session = await openSession(owner, sessionId, resolved, hooks.wishes);
    return session.getModelHistory(leafId, { compactsIfNeeded: true, signal: hooks.signal });
  });
}

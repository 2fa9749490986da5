import type { ContextBlocks } from "@/lib/session/context/context-blocks";
import { dated, type HistoryMessage, type SessionMessage } from "@/lib/session/message";
import { prepareForModel } from "@/lib/session/model-messages";
import type { LoadedSkill } from "@/lib/session/session-provider";
import type { SessionParts } from "./session-parts";

export interface ModelHistoryOptions {
  /** Compacts first when the history exceeds its threshold. */
  readonly compactsIfNeeded?: boolean | undefined;
  /** Aborts that compaction; the history is then returned as it is. */
  readonly signal?: AbortSignal | undefined;
  /** Messages after the history, not necessarily stored. */
  readonly newMessages?: readonly SessionMessage[] | undefined;
}

/** Reads the history of a path in a form a model accepts, with loaded documents. */
export async function modelHistory(
  { messages, blocks, modelInput }: SessionParts,
  leafId?: string,
  { compactsIfNeeded = false, signal, newMessages = [] }: ModelHistoryOptions = {},
): Promise<HistoryMessage[]> {
  const [history, loadedSkills] = await Promise.all([
    compactsIfNeeded ? messages.fittingHistory(leafId, signal) : messages.history(leafId),
    messages.loadedSkills(leafId),
  ]);
  const chosen = await modelInput?.(history, newMessages);
  const input = (chosen ?? [...history, ...newMessages]).map(dated);
  return prepareForModel(input as HistoryMessage[], {
    loadedSkills,
    loadSkill: (skill) => loadedDocument(blocks, skill),
  });
}

/** An unreadable document must not keep the model from answering. */
async function loadedDocument(
  blocks: ContextBlocks,
  { label, key }: LoadedSkill,
): Promise<string | null> {
  try {
    return await blocks.load(label, key);
  } catch {
    return null;
  }
}

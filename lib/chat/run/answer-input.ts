import type { ToolSet } from "ai";
import { offeredTools } from "@/lib/chat/offered-tools";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { ResolvedModel } from "@/lib/llm";
import {
  estimateMessageTokens,
  estimateStringTokens,
  estimateToolTokens,
  previewOf,
  type Session,
  type StoredMessage,
  truncateOlderMessages,
  type WriteProvenance,
} from "@/lib/session";
import { usesAtStart } from "./answer-uses";

export interface AnswerInput {
  readonly instructions: string;
  readonly messages: readonly StoredMessage[];
  readonly tools: ToolSet;
  readonly receipt: ReceiptWire;
}

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
  readonly onProposal: () => void;
  /** Hears of every entry that a search has given to the model. */
  readonly onFound: (entry: { readonly label: string; readonly key: string }) => void;
}

/** Everything a model is given for one answer, compacted first if it must be, and the receipt that says so. */
export async function answerInput(options: InputOptions): Promise<AnswerInput> {
  const { session, resolved, parentId, signal } = options;
  // A compaction renders the prompt anew, so the history comes first.
  const history = await session.getModelHistory(parentId, { compactsIfNeeded: true, signal });
  const [frozen, skills, tools] = await Promise.all([
    session.freezeVersionedPrompt(),
    session.getLoadedSkills(parentId),
    offeredTools({ ...options, leafId: parentId }),
  ]);
  const { prompt: instructions, versions } = frozen;
  const messages = truncateOlderMessages(history) as StoredMessage[];
  const given = messages.map((message) => ({
    id: message.id,
    role: message.role,
    preview: previewOf(message),
    tokens: estimateMessageTokens([message]),
  }));
  const receipt: ReceiptWire = {
    model: resolved.info.ref,
    prompt: instructions,
    messages: given,
    blocks: Object.entries(versions ?? {}).map(([label, version]) => ({ label, version })),
    skills,
    used: usesAtStart(instructions, skills),
    tools: Object.keys(tools),
    tokens: {
      prompt: estimateStringTokens(instructions),
      messages: given.reduce((sum, { tokens }) => sum + tokens, 0),
      tools: await estimateToolTokens(tools),
    },
    usage: null,
    cost: null,
    startedAt: new Date().toISOString(),
    finishedAt: null,
  };
  return { instructions, messages, tools, receipt };
}

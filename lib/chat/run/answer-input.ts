import type { ToolSet } from "ai";
import { defaultBlocks } from "@/lib/chat/default-blocks";
import { offeredTools } from "@/lib/chat/offered-tools";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { MemoryMode, ReceiptWire } from "@/lib/chat/wire";
import type { ResolvedModel } from "@/lib/llm";
import {
  estimateMessageTokens,
  estimateStringTokens,
  estimateToolTokens,
  isVersionedProvider,
  previewOf,
  type Session,
  type StoredMessage,
  truncateOlderMessages,
  type WriteProvenance,
} from "@/lib/session";

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
}

/** Everything a model is given for one answer, compacted first if it must be, and the receipt that says so. */
export async function answerInput(options: InputOptions): Promise<AnswerInput> {
  const { session, resolved, parentId, owner, signal } = options;
  // A compaction renders the prompt anew, so the history comes first.
  const history = await session.getModelHistory(parentId, { compactsIfNeeded: true, signal });
  const [instructions, skills, tools, blocks] = await Promise.all([
    session.freezeSystemPrompt(),
    session.getLoadedSkills(parentId),
    offeredTools({ ...options, leafId: parentId }),
    blockVersions(owner, session.id),
  ]);
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
    blocks,
    skills,
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

async function blockVersions(owner: OwnerData, sessionId: string): Promise<ReceiptWire["blocks"]> {
  const plain = defaultBlocks.filter(
    (block) => block.kind === "readonly" || block.kind === "writable",
  );
  return Promise.all(
    plain.map(async ({ label, scope }) => {
      const document =
        scope === "owner" ? owner.block(label) : owner.sessionBlock(label, sessionId);
      return {
        label,
        version: isVersionedProvider(document) ? (await document.read()).version : 0,
      };
    }),
  );
}

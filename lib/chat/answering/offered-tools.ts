import type { ToolSet } from "ai";
import type { OwnerData } from "@/lib/chat/owner-data";
import { pastConversations } from "@/lib/chat/sessions/open-session";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { ResolvedModel } from "@/lib/llm";
import type { Session, WriteProvenance } from "@/lib/session";

export interface OfferedToolsOptions {
  readonly owner: OwnerData;
  readonly session: Session;
  readonly resolved: Pick<ResolvedModel, "info">;
  readonly memoryMode: MemoryMode;
  /** The path whose loaded skills count. Omitted: the active one. */
  readonly leafId?: string | undefined;
  /** Noted with every version the model writes. */
  readonly provenance?: WriteProvenance | undefined;
  /** Hears of every entry that a search has given to the model. */
  readonly onFound?:
    | ((entry: { readonly label: string; readonly key: string }) => void)
    | undefined;
}

/** The tools a model is given for one answer: none that writes with memory off, none at all when it can call none. */
export async function offeredTools(options: OfferedToolsOptions): Promise<ToolSet> {
  const { owner, session, resolved, memoryMode, leafId, provenance, onFound } = options;
  if (!resolved.info.capabilities.tools) return {};
  const allowWrites = memoryMode !== "off";
  const holdWrites = memoryMode === "ask";
  const tools = await session.tools({
    leafId,
    provenance,
    allowWrites,
    holdWrites,
    // Answering a question again must not note again what the first answer noted.
    appendsOnce: true,
    onFound,
  });
  const asking = leafId === undefined ? undefined : { sessionId: session.id, id: leafId };
  return { ...tools, ...pastConversations(owner, asking) };
}

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
  /** Default: the active path. */
  readonly leafId?: string | undefined;
  /** Recorded with every version the model writes. */
  readonly provenance?: WriteProvenance | undefined;
  readonly onFound?:
    | ((entry: { readonly label: string; readonly key: string }) => void)
    | undefined;
}

/** None that writes with memory off, none for a model without tool calls. */
export async function offeredTools(options: OfferedToolsOptions): Promise<ToolSet> {
  const { owner, session, resolved, memoryMode, leafId, provenance, onFound } = options;
  if (!resolved.info.capabilities.tools) return {};
  const allowWrites = memoryMode !== "off";
  // A skill is instructions that later answers follow, so a document could plant some through the model.
  const holdWrites = memoryMode === "ask" || "skills";
  const tools = await session.tools({
    leafId,
    provenance,
    allowWrites,
    holdWrites,
    // A regenerated answer must not note things twice.
    appendsOnce: true,
    listsLoaded: false,
    onFound,
  });
  const asking = leafId === undefined ? undefined : { sessionId: session.id, id: leafId };
  return { ...tools, ...pastConversations(owner, asking) };
}

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
  /** The path whose loaded skills count. Default: the active one. */
  readonly leafId?: string | undefined;
  /** Recorded with every version the model writes. */
  readonly provenance?: WriteProvenance | undefined;
  /** Called with every entry a search returned to the model. */
  readonly onFound?:
    | ((entry: { readonly label: string; readonly key: string }) => void)
    | undefined;
}

/** The tools for one answer: none that writes with memory off, none for a model without tool calls. */
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
    // Regenerating an answer must not note the same thing twice.
    appendsOnce: true,
    onFound,
  });
  const asking = leafId === undefined ? undefined : { sessionId: session.id, id: leafId };
  return { ...tools, ...pastConversations(owner, asking) };
}

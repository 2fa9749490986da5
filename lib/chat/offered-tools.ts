import type { ToolSet } from "ai";
import type { ResolvedModel } from "@/lib/llm";
import type { Session, WriteProvenance } from "@/lib/session";
import { pastConversations } from "./open-session";
import type { OwnerData } from "./owner-data";
import type { MemoryMode } from "./wire";

export interface OfferedToolsOptions {
  readonly owner: OwnerData;
  readonly session: Session;
  readonly resolved: ResolvedModel;
  readonly memoryMode: MemoryMode;
  /** The path whose loaded skills count. Omitted: the active one. */
  readonly leafId?: string | undefined;
  /** Noted with every version the model writes. */
  readonly provenance?: WriteProvenance | undefined;
}

/** The tools a model is given for one answer: none that writes with memory off, none at all when it can call none. */
export async function offeredTools(options: OfferedToolsOptions): Promise<ToolSet> {
  const { owner, session, resolved, memoryMode, leafId, provenance } = options;
  if (!resolved.info.capabilities.tools) return {};
  const allowWrites = memoryMode === "on";
  const tools = await session.tools({ leafId, provenance, allowWrites });
  return { ...tools, ...pastConversations(owner) };
}

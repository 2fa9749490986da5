import type { ToolSet } from "ai";
import type { OwnerData } from "@/lib/chat/owner-data";
import { pastConversations } from "@/lib/chat/sessions/open-session";
import type { ChosenTool } from "@/lib/chat/tools/owner-tools";
import type { ToolRun } from "@/lib/chat/tools/tool-source";
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
  /** Closes what tools opened. Default: nothing is called. */
  readonly atEnd?: ToolRun["atEnd"] | undefined;
}

export interface OfferedTools {
  readonly tools: ToolSet;
  /** Those beyond memory, by name. */
  readonly chosen: ReadonlyMap<string, ChosenTool>;
}

/** None that writes with memory off, none for a model without tool calls. */
export async function offeredTools(options: OfferedToolsOptions): Promise<OfferedTools> {
  const { owner, session, resolved, memoryMode, leafId, provenance, onFound } = options;
  if (!resolved.info.capabilities.tools) return { tools: {}, chosen: new Map() };
  const added = await addedTools(options);
  const allowWrites = memoryMode !== "off";
  // An output from outside can hold instructions. A skill is instructions that later answers follow, too.
  const holdWrites = memoryMode === "ask" || added.chosen.size > 0 || "skills";
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
  const own = { ...tools, ...pastConversations(owner, asking) };
  return { tools: { ...added.tools, ...own }, chosen: added.chosen };
}

async function addedTools(options: OfferedToolsOptions): Promise<OfferedTools> {
  const { owner, session, resolved, provenance, atEnd } = options;
  const run: ToolRun = {
    sessionId: session.id,
    messageId: provenance?.messageId ?? null,
    model: resolved.info,
    atEnd: atEnd ?? (() => undefined),
  };
  const tools: ToolSet = {};
  const chosen = new Map<string, ChosenTool>();
  for (const each of await owner.tools.list()) {
    const tool = each.policy === "on" ? each.tool.make(run) : null;
    if (!tool) continue;
    tools[each.tool.name] = tool;
    chosen.set(each.tool.name, each);
  }
  return { tools, chosen };
}

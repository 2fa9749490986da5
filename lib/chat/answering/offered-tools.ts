import type { ToolSet } from "ai";
import { isAllowedBy } from "@/lib/chat/core/consents";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { ChosenTool, ToolRun } from "@/lib/chat/core/tool-source";
import { pastConversations } from "@/lib/chat/sessions/open-session";
import { withBoundedOutput } from "@/lib/chat/tools/bounded-output";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { ResolvedModel } from "@/lib/llm";
import type { Session, WriteProvenance } from "@/lib/session";
import { askingPerson } from "./ask-person";
import { heldWriteId } from "./held-writes";

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
  /** Leaves out tools that ask first where nobody can be asked. Default `true`. */
  readonly mayAsk?: boolean | undefined;
  /** Offers to search and read past chats. Default `true`. */
  readonly searchesChats?: boolean | undefined;
}

export interface OfferedTools {
  readonly tools: ToolSet;
  /** Those beyond memory, by name. */
  readonly chosen: ReadonlyMap<string, ChosenTool>;
  /** Names of those that wait for the person before each call. */
  readonly asks: ReadonlySet<string>;
}

const none: OfferedTools = { tools: {}, chosen: new Map(), asks: new Set() };

/** None that writes with memory off, none for a model without tool calls. */
export async function offeredTools(options: OfferedToolsOptions): Promise<OfferedTools> {
  const { owner, session, resolved, memoryMode, leafId, provenance, onFound } = options;
  if (resolved.info.capabilities.tools === false) return none;
  const added = await addedTools(options);
  const allowWrites = memoryMode !== "off";
  // An output from outside can hold instructions. A skill is instructions that later answers follow, too.
  const holdWrites = memoryMode === "ask" || added.chosen.size > 0 || "skills";
  const messageId = provenance?.messageId;
  const pauses = messageId !== undefined && options.mayAsk !== false;
  const tools = await session.tools({
    leafId,
    provenance,
    ...(pauses && { proposalIdOf: (toolCallId) => heldWriteId(messageId, toolCallId) }),
    allowWrites,
    holdWrites,
    // A regenerated answer must not note things twice.
    appendsOnce: true,
    listsLoaded: false,
    onFound,
  });
  const asking = leafId === undefined ? undefined : { sessionId: session.id, id: leafId };
  const past = options.searchesChats === false ? {} : pastConversations(owner, asking);
  const own = { ...tools, ...past };
  return { ...added, tools: { ...added.tools, ...own } };
}

async function addedTools(options: OfferedToolsOptions): Promise<OfferedTools> {
  const { owner, session, resolved, provenance, atEnd } = options;
  const { mayAsk = true } = options;
  const messageId = provenance?.messageId ?? null;
  const run: Omit<ToolRun, "isAsked"> = {
    sessionId: session.id,
    messageId,
    model: resolved.info,
    ask: messageId !== null && mayAsk ? askingPerson(owner, messageId) : null,
    atEnd: atEnd ?? (() => undefined),
  };
  const tools: ToolSet = {};
  const chosen = new Map<string, ChosenTool>();
  const asks = new Set<string>();
  const listed = await owner.tools.list();
  const asksFirst = listed.some(({ policy }) => policy === "ask");
  const consents = asksFirst && mayAsk ? await owner.consents.list(session.id) : [];
  for (const each of listed) {
    const { name, title, origin, version } = each.tool;
    const isAsked = each.policy === "ask" && !isAllowedBy(consents, each.tool);
    const tool =
      each.policy === "off" || (isAsked && !mayAsk) ? null : each.tool.make({ ...run, isAsked });
    if (!tool) continue;
    // The page reads these from the stored call.
    tools[name] = {
      ...withBoundedOutput(tool),
      title,
      metadata: { origin: { ...origin }, ...(version && { version }) },
    };
    chosen.set(name, each);
    if (isAsked) asks.add(name);
  }
  return { tools, chosen, asks };
}

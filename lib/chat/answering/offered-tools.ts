import type { ToolSet } from "ai";
import type { Session } from "grove-session";
import type { WriteProvenance } from "grove-session/ports";
import { isAllowedBy } from "@/lib/chat/core/consents";
import type { OwnerData, SendFacts } from "@/lib/chat/core/owner-data";
import type { ChosenTool, FilesOfRun, ToolRun } from "@/lib/chat/core/tool-source";
import { allowsTool } from "@/lib/chat/memory/assistant-in-use";
import { hasFilesBlock } from "@/lib/chat/sessions/blocks";
import { pastConversations } from "@/lib/chat/sessions/open-session";
import { contextWindowOf } from "@/lib/chat/settings/models";
import { withBoundedOutput } from "@/lib/chat/tools/bounded-output";
import { findTools, LaterTools, namesCalled, namesFound } from "@/lib/chat/tools/later-tools";
import { toolPlan } from "@/lib/chat/tools/tool-limit";
import type { Assistant } from "@/lib/chat/wire/assistants";
import { attachedFile, fileKind } from "@/lib/chat/wire/files";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import { isTemporaryId, takesMemoryAlong } from "@/lib/chat/wire/temporary-id";
import type { ResolvedModel } from "@/lib/llm";
import { askingPerson } from "./ask-person";
import { heldWriteId } from "./memory-writes";

export interface OfferedToolsOptions {
  readonly owner: OwnerData;
  readonly session: Session;
  readonly resolved: Pick<ResolvedModel, "info">;
  readonly memoryMode: MemoryMode;
  readonly leafId?: string | undefined;
  readonly leafStored?: Promise<void> | undefined;
  readonly provenance?: WriteProvenance | undefined;
  /** Versions by block id. Default: they are read. */
  readonly seenVersions?: Map<string, number> | undefined;
  readonly onFound?:
    | ((entry: { readonly label: string; readonly key: string }) => void)
    | undefined;
  readonly atEnd?: ToolRun["atEnd"] | undefined;
  /** `false` leaves out tools that ask first. */
  readonly mayAsk?: boolean | undefined;
  readonly searchesChats?: boolean | undefined;
  readonly web?: boolean | undefined;
  readonly assistant?: Assistant | null | undefined;
  readonly facts?: Pick<SendFacts, "blocks"> | undefined;
}

export interface OfferedTools {
  readonly tools: ToolSet;
  /** Server tools that do not fit until a search finds them. */
  readonly later?: LaterTools | undefined;
  readonly chosen: ReadonlyMap<string, ChosenTool>;
  readonly asks: ReadonlySet<string>;
}

const none: OfferedTools = { tools: {}, chosen: new Map(), asks: new Set() };

export async function offeredTools(options: OfferedToolsOptions): Promise<OfferedTools> {
  const { owner, session, resolved, memoryMode, leafId, provenance, onFound } = options;
  if (resolved.info.capabilities.tools === false) return none;
  const added = await addedTools(options);
  const allowWrites = memoryMode !== "off";
  // An output from outside can hold instructions, and later answers follow a skill as instructions.
  const holdWrites = memoryMode === "ask" || added.hasOthers || "skills";
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
    seenVersions: options.seenVersions,
    onFound,
  });
  const asking = leafId === undefined ? undefined : { sessionId: session.id, id: leafId };
  const past = options.searchesChats === false ? {} : pastConversations(owner, asking);
  const own = Object.fromEntries(
    Object.entries({ ...tools, ...past }).filter(([name]) => isAllowed(options, name)),
  );
  const { hasOthers: _, ...others } = added;
  const offered = await withinLimits(others, options, Object.keys(own).length);
  return { ...offered, tools: { ...offered.tools, ...own } };
}

function isAllowed({ assistant }: OfferedToolsOptions, name: string): boolean {
  return !assistant || allowsTool(assistant, name);
}

async function withinLimits(
  added: OfferedTools,
  { session, resolved, leafId, leafStored }: OfferedToolsOptions,
  ownTools: number,
): Promise<OfferedTools> {
  const all = [...added.chosen.values()].map(({ tool }) => tool);
  const sized = all.map(({ name, tokens = 0, origin }) => {
    return { name, tokens, isSearchable: origin.kind === "mcp" };
  });
  const limits = { contextWindow: contextWindowOf(resolved.info), ownTools };
  if (toolPlan(sized, { ...limits, recent: [] }).later.size === 0) return added;
  await leafStored;
  const history = await session.getHistory(leafId);
  const plan = toolPlan(sized, { ...limits, recent: namesCalled(history) });
  const last = history.at(-1);
  const parts = Object.groupBy(Object.entries(added.tools), ([name]) =>
    plan.later.has(name) ? "later" : "now",
  );
  const later = new LaterTools(
    all.filter(({ name }) => plan.later.has(name)),
    {
      tools: Object.fromEntries(parts.later ?? []),
      bounds: plan.found,
      found: last?.role === "assistant" ? namesFound(last) : [],
    },
  );
  const now = Object.fromEntries(parts.now ?? []);
  return { ...added, tools: { ...now, [findTools]: later.searching() }, later };
}

interface AddedTools extends OfferedTools {
  /** Earlier outputs of other tools are in the chat, even if the assistant takes these away. */
  readonly hasOthers: boolean;
}

async function addedTools(options: OfferedToolsOptions): Promise<AddedTools> {
  const { owner, session, resolved, provenance, atEnd } = options;
  const { mayAsk = true } = options;
  const [all, files] = await Promise.all([
    owner.tools.list({ web: options.web }),
    filesOfRun(options),
  ]);
  const messageId = provenance?.messageId ?? null;
  const run: Omit<ToolRun, "isAsked"> = {
    sessionId: session.id,
    messageId,
    model: resolved.info,
    files,
    ask: messageId !== null && mayAsk ? askingPerson(owner, messageId) : null,
    atEnd: atEnd ?? (() => undefined),
  };
  const tools: ToolSet = {};
  const chosen = new Map<string, ChosenTool>();
  const asks = new Set<string>();
  const listed = all.filter(({ tool: { name, readsFiles } }) => {
    return isAllowed(options, name) && (files !== null || !readsFiles);
  });
  const hasOthers = all.some(
    ({ tool: { origin }, policy }) =>
      origin.kind !== "grove" && (policy === "on" || (policy === "ask" && mayAsk)),
  );
  const asksFirst = listed.some(({ policy }) => policy === "ask");
  const consents = asksFirst && mayAsk ? await owner.consents.list(session.id) : [];
  for (const each of listed) {
    const { name, title, origin, version } = each.tool;
    const isAsked = each.policy === "ask" && !isAllowedBy(consents, each.tool);
    const tool =
      each.policy === "off" || (isAsked && !mayAsk) ? null : each.tool.make({ ...run, isAsked });
    if (!tool) continue;
    tools[name] = {
      ...withBoundedOutput(tool),
      title,
      metadata: { origin: { ...origin }, ...(version && { version }) },
    };
    chosen.set(name, each);
    if (isAsked) asks.add(name);
  }
  return { tools, chosen, asks, hasOthers };
}

const mostFilesOfPath = 200;

/** `null` without a file in the place: files of the chat alone were given with their messages. */
async function filesOfRun({
  owner: { knowledge },
  session: { id: sessionId },
  leafId,
  facts,
  ...options
}: OfferedToolsOptions): Promise<FilesOfRun | null> {
  const isApart = isTemporaryId(sessionId) && !takesMemoryAlong(sessionId);
  if (isApart || options.searchesChats === false || (facts && !hasFilesBlock(facts.blocks)))
    return null;
  if (!(await knowledge.hasFiles())) return null;
  return {
    ofPlace: true,
    async ofPath() {
      if (leafId === undefined) return [];
      const parts = await knowledge.ofPath({ sessionId, leafId, most: mostFilesOfPath });
      const files = parts.flatMap((part) => attachedFile(part) ?? []);
      return files.filter((file) => ["pdf", "text"].includes(fileKind(file)));
    },
  };
}

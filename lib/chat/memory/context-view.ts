import { modelInput, type SentInFull, sentInFullIn } from "@/lib/chat/answering/model-input";
import { type OfferedToolsOptions, offeredTools } from "@/lib/chat/answering/offered-tools";
import { carriedTokens } from "@/lib/chat/compaction/carried-tokens";
import { contextWindowOf } from "@/lib/chat/compaction/compaction-model";
import { inShares } from "@/lib/chat/compaction/in-shares";
import type { OwnerData } from "@/lib/chat/owner-data";
import { openSession, openWith } from "@/lib/chat/sessions/open-session";
import { memoryModeOf, requireSession } from "@/lib/chat/sessions/transcript";
import type { ContextWire, GaugeWire } from "@/lib/chat/wire/context";
import type { BlockWire, VersionWire } from "@/lib/chat/wire/memory";
import type { ResolvedModel } from "@/lib/llm";
import type { ContextBlock, DocumentVersion, ShortenedOutput } from "@/lib/session";
import { blocksOf } from "./block-definitions";
import type { BlockDefinition } from "./default-blocks";
import { loadedSkillTokens, sourceBlockOf } from "./source-blocks";

/**
 * The model's context at a leaf, by default the active one, or with `null` before the first message: blocks, frozen
 * prompt, pending changes and gauge.
 */
export async function contextView(
  owner: OwnerData,
  {
    sessionId,
    leafId,
    resolved,
  }: { sessionId: string; leafId?: string | null | undefined; resolved: ResolvedModel },
): Promise<ContextWire> {
  const info = await requireSession(owner, sessionId);
  const memoryMode = memoryModeOf(info);
  const sentInFull = sentInFullIn(info);
  const session = await openSession(owner, sessionId);
  const [prompt, blocks, loadedSkills, gauge] = await Promise.all([
    session.freezeSystemPrompt(),
    blockViews(owner, sessionId),
    leafId === null ? [] : session.getLoadedSkills(leafId),
    gaugeOf({ owner, session, leafId, resolved, memoryMode, sentInFull }),
  ]);
  const changes = await session.getPromptChanges();
  return {
    blocks,
    prompt,
    changes: changes.map(({ change, ...text }) => ({ ...text, kind: change })),
    loadedSkills: [...loadedSkills],
    gauge,
  };
}

/** The blocks as a person sees them; without a session the owner's. */
export async function blockViews(owner: OwnerData, sessionId: string | null): Promise<BlockWire[]> {
  const definitions = await blocksOf(owner, sessionId);
  const session = openWith(owner, sessionId, definitions);
  return Promise.all(
    definitions.map(async (definition) => {
      const block = await session.getContextBlock(definition.label);
      const entries = await entryCount(owner, { definition, block, sessionId });
      const origin = sourceBlockOf(owner, definition.label)?.origin ?? null;
      return { ...blockWire(definition, block, entries), origin };
    }),
  );
}

/** `null` for an unknown label. */
export async function blockView(
  owner: OwnerData,
  label: string,
  sessionId: string | null,
): Promise<BlockWire | null> {
  return (await blockViews(owner, sessionId)).find((block) => block.label === label) ?? null;
}

export function versionWire({
  version,
  content,
  provenance,
  createdAt,
}: DocumentVersion): VersionWire {
  return {
    version,
    content,
    author: provenance.author,
    sessionId: provenance.sessionId ?? null,
    messageId: provenance.messageId ?? null,
    proposed: provenance.proposalId !== undefined,
    createdAt: createdAt.toISOString(),
  };
}

function blockWire(
  definition: BlockDefinition,
  block: ContextBlock | null,
  entries: number | null,
): Omit<BlockWire, "origin"> {
  return {
    label: definition.label,
    description: definition.description,
    kind: definition.kind,
    scope: definition.scope,
    writers: definition.writers,
    isOwn: definition.isOwn,
    content: block?.content ?? "",
    version: block?.version ?? 0,
    tokens: block?.tokens ?? 0,
    maxTokens: definition.maxTokens,
    entryCount: entries,
    error: block?.error ?? null,
  };
}

async function entryCount(
  owner: OwnerData,
  {
    definition: { label, kind, scope, blockId },
    block,
    sessionId,
  }: { definition: BlockDefinition; block: ContextBlock | null; sessionId: string | null },
): Promise<number | null> {
  if (label === "knowledge") return owner.knowledge.count();
  if (kind === "searchable")
    return owner.searchable(label, scope === "session" ? sessionId : null, { blockId }).count();
  if (!block || kind !== "loadable") return null;
  // One skill per line, without files; asking a source again would read the folder or bucket twice.
  return block.content === "" ? 0 : block.content.split("\n").length;
}

async function gaugeOf({
  leafId,
  sentInFull,
  ...options
}: Omit<OfferedToolsOptions, "leafId"> & {
  leafId: string | null | undefined;
  sentInFull: SentInFull;
}): Promise<GaugeWire> {
  const { owner, session, resolved } = options;
  const [prompt, blocks, history, tools, skills] = await Promise.all([
    session.freezeSystemPrompt(),
    session.getContextBlocks(),
    leafId === null ? [] : session.getHistory(leafId),
    offeredTools({ ...options, leafId: leafId ?? undefined }),
    leafId === null ? [] : loadedSkillTokens(owner, session, leafId),
  ]);
  const { messages, shortened } = modelInput(history, { sentInFull });
  const carried = await carriedTokens({
    prompt,
    tools,
    messages,
    skillTokens: skills.map(({ tokens }) => tokens),
    model: resolved.info.ref,
  });
  const parts: GaugeWire["parts"] = [
    ...promptParts(carried.prompt, blocks),
    { source: "messages", label: "Messages", tokens: carried.messages },
    { source: "summaries", label: "Summaries", tokens: carried.summaries },
    { source: "tools", label: "Tools", tokens: carried.tools },
    ...skills.map(({ key }, index) => ({
      source: "skills" as const,
      label: key,
      tokens: carried.skills[index] ?? 0,
    })),
  ];
  const { price } = resolved.info;
  return {
    parts: parts.filter((part) => part.tokens > 0),
    usedTokens: carried.total,
    contextWindow: contextWindowOf(resolved),
    isWindowAssumed: resolved.info.contextWindow === null,
    tokenScale: carried.scale,
    shortened: shortened.length === 0 ? null : sumOf(shortened),
    nextCost: price && (carried.total * price.inputPerMillion) / 1_000_000,
  };
}

function sumOf(shortened: readonly ShortenedOutput[]): GaugeWire["shortened"] {
  return {
    count: shortened.length,
    shownChars: shortened.reduce((sum, { shownChars }) => sum + shownChars, 0),
    totalChars: shortened.reduce((sum, { totalChars }) => sum + totalChars, 0),
  };
}

/** The frozen prompt by block, in proportion to their current size. */
function promptParts(tokens: number, blocks: readonly ContextBlock[]): GaugeWire["parts"] {
  const shares = inShares(
    tokens,
    blocks.map((block) => block.tokens + 1),
  );
  return blocks.map(({ label }, index) => ({
    source: "prompt",
    label,
    tokens: shares[index] ?? 0,
  }));
}

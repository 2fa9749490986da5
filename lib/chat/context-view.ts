import type { ResolvedModel } from "@/lib/llm";
import {
  type ContextBlock,
  type DocumentVersion,
  estimateMessageTokens,
  estimateStringTokens,
  estimateToolTokens,
  isCompactionMessage,
  type LoadedSkill,
  type Session,
  truncateOlderMessages,
} from "@/lib/session";
import { blocksOf } from "./block-definitions";
import type { BlockDefinition } from "./default-blocks";
import { inShares } from "./in-shares";
import { type OfferedToolsOptions, offeredTools } from "./offered-tools";
import { contextWindowOf, openSession, openWith } from "./open-session";
import type { OwnerData } from "./owner-data";
import { loadSkill, sourceBlockOf } from "./source-blocks";
import { memoryModeOf, requireSession } from "./transcript";
import type { ContextWire, GaugeWire } from "./wire/context";
import type { BlockWire, VersionWire } from "./wire/memory";

/** What the model would be given at a leaf: blocks, frozen prompt, what changed since, and how full its window is. */
export async function contextView(
  owner: OwnerData,
  {
    sessionId,
    leafId,
    resolved,
  }: { sessionId: string; leafId?: string | undefined; resolved: ResolvedModel },
): Promise<ContextWire> {
  const memoryMode = memoryModeOf(await requireSession(owner, sessionId));
  const session = await openSession(owner, sessionId, resolved);
  const [prompt, blocks, loadedSkills, gauge] = await Promise.all([
    session.freezeSystemPrompt(),
    blockViews(owner, sessionId),
    session.getLoadedSkills(leafId),
    gaugeOf({ owner, session, leafId, resolved, memoryMode }),
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

/** The blocks as a person sees them; without a session those that hold everywhere. */
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

/** One block as a person sees it; `null` for an unknown label. */
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
    definition: { label, kind, scope },
    block,
    sessionId,
  }: { definition: BlockDefinition; block: ContextBlock | null; sessionId: string | null },
): Promise<number | null> {
  if (label === "knowledge") return owner.knowledge.count();
  if (kind === "searchable")
    return owner.searchable(label, scope === "session" ? sessionId : null).count();
  if (!block || (label !== "skills" && !sourceBlockOf(owner, label))) return null;
  // One skill a line, without the files of any; asking a source again would be a second look at the same folder or bucket.
  return block.content === "" ? 0 : block.content.split("\n").length;
}

async function gaugeOf(options: OfferedToolsOptions): Promise<GaugeWire> {
  const { owner, session, leafId, resolved } = options;
  const [prompt, blocks, wholeHistory, tools, skills] = await Promise.all([
    session.freezeSystemPrompt(),
    session.getContextBlocks(),
    session.getModelHistory(leafId),
    offeredTools(options),
    loadedSkillParts(owner, session, leafId),
  ]);
  const history = truncateOlderMessages(wholeHistory);
  const skillTokens = skills.reduce((sum, skill) => sum + skill.tokens, 0);
  const summaries = history.filter(isCompactionMessage);
  const messages = history.filter((message) => !isCompactionMessage(message));
  const parts: GaugeWire["parts"] = [
    ...promptParts(prompt, blocks),
    {
      source: "messages",
      label: "Messages",
      tokens: Math.max(0, estimateMessageTokens(messages) - skillTokens),
    },
    { source: "summaries", label: "Summaries", tokens: estimateMessageTokens(summaries) },
    {
      source: "tools",
      label: "Tools",
      tokens: await estimateToolTokens(tools),
    },
    ...skills,
  ];
  const shown = parts.filter((part) => part.tokens > 0);
  const usedTokens = shown.reduce((sum, part) => sum + part.tokens, 0);
  const { price } = resolved.info;
  return {
    parts: shown,
    usedTokens,
    contextWindow: contextWindowOf(resolved),
    nextCost: price && (usedTokens * price.inputPerMillion) / 1_000_000,
  };
}

/** The frozen prompt by block, in proportion to what the blocks hold now. */
function promptParts(prompt: string, blocks: readonly ContextBlock[]): GaugeWire["parts"] {
  const shares = inShares(
    estimateStringTokens(prompt),
    blocks.map((block) => block.tokens + 1),
  );
  return blocks.map(({ label }, index) => ({
    source: "prompt",
    label,
    tokens: shares[index] ?? 0,
  }));
}

async function loadedSkillParts(
  owner: OwnerData,
  session: Session,
  leafId: string | undefined,
): Promise<GaugeWire["parts"]> {
  const loaded = await session.getLoadedSkills(leafId);
  return Promise.all(
    loaded.map(async (skill) => ({
      source: "skills" as const,
      label: skill.key,
      tokens: estimateStringTokens(await loadedText(owner, skill)),
    })),
  );
}

/** What the model is given of a skill that cannot be read now: nothing. */
async function loadedText(owner: OwnerData, skill: LoadedSkill): Promise<string> {
  return (await loadSkill(owner, skill).catch(() => null)) ?? "";
}

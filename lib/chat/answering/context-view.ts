import {
  type ContextBlock,
  estimateStringTokens,
  estimateToolTokens,
  promptSections,
  type SessionMessage,
} from "grove-session";
import type { ShortenedOutput } from "grove-session/ports";
import { type Prompt, promptOf, textOf } from "@/lib/chat/answering/answer-input";
import {
  type OfferedTools,
  type OfferedToolsOptions,
  offeredTools,
} from "@/lib/chat/answering/offered-tools";
import { carriedTokens } from "@/lib/chat/compaction/carried-tokens";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { parametersIn } from "@/lib/chat/core/settings-store";
import { Memory } from "@/lib/chat/memory/memory";
import { loadedSkillTokens } from "@/lib/chat/memory/skills";
import { modelInput, type SentInFull, sentInFullIn } from "@/lib/chat/sessions/model-input";
import { openSession } from "@/lib/chat/sessions/open-session";
import { personalChanges } from "@/lib/chat/sessions/personal-part";
import { isPromptCold, memoryModeOf, requireSession } from "@/lib/chat/sessions/transcript";
import { contextWindowOf } from "@/lib/chat/settings/models";
import { findTools } from "@/lib/chat/tools/later-tools";
import type { ContextWire, GaugeWire } from "@/lib/chat/wire/context";
import {
  type AttachedFile,
  attachedFile,
  type FileTaking,
  fileGiving,
} from "@/lib/chat/wire/files";
import type { ResolvedModel } from "@/lib/llm";

/** The model's context at a leaf (default the active one, `null` before the first message). */
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
  const { web } = parametersIn(info.metadata);
  const session = await openSession(owner, sessionId);
  // An answer that goes on keeps its prompt, and keeps it warm.
  const open = (await owner.runs.marks([sessionId])).get(sessionId);
  const renews = isPromptCold(info) && !open?.writing && !open?.waiting;
  const prompt = await promptOf(owner, session, { renews });
  const [blocks, loadedSkills, { gauge, files }] = await Promise.all([
    new Memory(owner, sessionId).list(),
    leafId === null ? [] : session.memory.getLoadedSkills(leafId),
    gaugeOf({ owner, session, prompt, leafId, resolved, memoryMode, sentInFull, web }),
  ]);
  const [changes, ofPerson] = await Promise.all([
    session.memory.getPromptChanges(),
    personalChanges(owner, prompt.personal),
  ]);
  const { personal } = prompt;
  return {
    blocks,
    prompt: prompt.prompt,
    ...(owner.personal && {
      personal: personal && { prompt: personal.prompt, changes: ofPerson },
    }),
    changes: changes.map(({ change, ...text }) => ({ ...text, kind: change })),
    loadedSkills: [...loadedSkills],
    gauge,
    files,
  };
}

async function gaugeOf({
  prompt,
  leafId,
  sentInFull,
  ...options
}: Omit<OfferedToolsOptions, "leafId"> & {
  prompt: Prompt;
  leafId: string | null | undefined;
  sentInFull: SentInFull;
}): Promise<Pick<ContextWire, "gauge" | "files">> {
  const { owner, session, resolved } = options;
  const takes = resolved.info.capabilities;
  const [blocks, history, offered, skills] = await Promise.all([
    session.getContextBlocks(),
    leafId === null ? [] : session.getHistory(leafId),
    offeredTools({ ...options, leafId: leafId ?? undefined }),
    leafId === null
      ? []
      : session.memory
          .getLoadedSkills(leafId)
          .then((loaded) => loadedSkillTokens(owner, session.id, loaded)),
  ]);
  const { tools } = offered;
  const { messages, shortened } = modelInput(history, { sentInFull, takes });
  const carried = await carriedTokens({
    prompt: textOf(prompt),
    tools,
    messages,
    skillTokens: skills.map(({ tokens }) => tokens),
    model: resolved.info.ref,
  });
  const parts: GaugeWire["parts"] = [
    ...promptParts(carried.prompt, owner.personal ? inProject(prompt, blocks) : blocks),
    { source: "messages", label: "Messages", tokens: carried.messages },
    { source: "summaries", label: "Summaries", tokens: carried.summaries },
    ...(await toolParts(carried.tools, offered)),
    ...skills.map(({ key }, index) => ({
      source: "skills" as const,
      label: key,
      tokens: carried.skills[index] ?? 0,
    })),
  ];
  const { price } = resolved.info;
  const gauge: GaugeWire = {
    parts: parts.filter((part) => part.tokens > 0),
    usedTokens: carried.total,
    contextWindow: contextWindowOf(resolved.info),
    isWindowAssumed: resolved.info.contextWindow === null,
    tokenScale: carried.scale,
    shortened: shortened.length === 0 ? null : sumOf(shortened),
    nextCost: price && (carried.total * price.inputPerMillion) / 1_000_000,
  };
  return { gauge, files: filesGiven(messages, takes) };
}

function filesGiven(messages: readonly SessionMessage[], takes: FileTaking): AttachedFile[] {
  const files = messages.flatMap(({ parts }) => parts.flatMap((part) => attachedFile(part) ?? []));
  return files.filter((file) => fileGiving(file, takes) === "bytes").reverse();
}

function sumOf(shortened: readonly ShortenedOutput[]): GaugeWire["shortened"] {
  return {
    count: shortened.length,
    shownChars: shortened.reduce((sum, { shownChars }) => sum + shownChars, 0),
    totalChars: shortened.reduce((sum, { totalChars }) => sum + totalChars, 0),
  };
}

type Section = Pick<ContextBlock, "label" | "tokens"> & Pick<GaugeWire["parts"][number], "from">;

function inProject({ personal }: Prompt, blocks: readonly ContextBlock[]): Section[] {
  const sections = promptSections(personal?.prompt ?? "").map(({ label, content }): Section => {
    return { label: label.toLowerCase(), tokens: estimateStringTokens(content), from: "you" };
  });
  return [...blocks.map((block): Section => ({ ...block, from: "project" })), ...sections];
}

function promptParts(tokens: number, blocks: readonly Section[]): GaugeWire["parts"] {
  const shares = inShares(
    tokens,
    blocks.map((block) => block.tokens + 1),
  );
  return blocks.map(({ label, from }, index) => ({
    source: "prompt",
    label,
    tokens: shares[index] ?? 0,
    ...(from && { from }),
  }));
}

const ownTools = "Memory, chats and skills";

/** One part for each server, since a person turns off the tools of a server. */
async function toolParts(
  tokens: number,
  { tools, chosen }: Pick<OfferedTools, "tools" | "chosen">,
): Promise<GaugeWire["parts"]> {
  const groups = Map.groupBy(Object.entries(tools), ([name]) => {
    const origin = name === findTools ? "Search for tools" : chosen.get(name)?.tool.origin.name;
    return origin ?? ownTools;
  });
  const weights = [...groups.values()].map((group) =>
    estimateToolTokens(Object.fromEntries(group)),
  );
  const shares = inShares(tokens, await Promise.all(weights));
  return [...groups.keys()].map((label, index) => {
    return { source: "tools", label, tokens: shares[index] ?? 0 };
  });
}

/** Splits `total` in proportion to weights into whole parts with exactly that sum. */
export function inShares(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let weighed = 0;
  let given = 0;
  return weights.map((weight) => {
    weighed += weight;
    const upTo = whole > 0 ? Math.round((total * weighed) / whole) : 0;
    const share = upTo - given;
    given = upTo;
    return share;
  });
}

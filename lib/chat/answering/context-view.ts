import {
  estimateStringTokens,
  estimateToolTokens,
  promptSections,
  type SessionMessage,
} from "grove-session";
import type { ShortenedOutput } from "grove-session/ports";
import { type AnswerPrompt, promptOf, textOf } from "@/lib/chat/answering/answer-input";
import {
  type OfferedTools,
  type OfferedToolsOptions,
  offeredTools,
} from "@/lib/chat/answering/offered-tools";
import { carriedTokens } from "@/lib/chat/compaction/carried-tokens";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { assistantIn, parametersIn } from "@/lib/chat/core/settings-store";
import { assistantSection, readAssistantInUse } from "@/lib/chat/memory/assistant-in-use";
import { Memory } from "@/lib/chat/memory/memory";
import { loadedSkillTokens } from "@/lib/chat/memory/skills";
import { blocksOf } from "@/lib/chat/sessions/blocks";
import { modelInput, type SentInFull, sentInFullIn } from "@/lib/chat/sessions/model-input";
import { filesIn, openSession } from "@/lib/chat/sessions/open-session";
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
import { readPagesName, searchFilesName } from "@/lib/chat/wire/knowledge";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import type { ResolvedModel } from "@/lib/llm";

/** `null` means before the first message. */
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
  const session = await openSession(owner, sessionId, resolved);
  const open = (await owner.runs.marks([sessionId])).get(sessionId);
  const renews = isPromptCold(info) && !open?.writing && !open?.waiting;
  const ref = assistantIn(info.metadata);
  const inUse = ref && (await readAssistantInUse(owner, ref));
  const [frozen, section] = await Promise.all([
    promptOf(owner, session, { renews, model: resolved }),
    inUse &&
      assistantSection(owner, { sessionId, inUse, blocks: await blocksOf(owner, sessionId) }),
  ]);
  const texts = [frozen.prompt, section?.prompt].filter((text) => text);
  const prompt = { ...frozen, prompt: texts.join("\n\n") };
  const assistant = inUse?.assistant;
  const [blocks, loadedSkills, { gauge, files, answerId, readsFiles }] = await Promise.all([
    new Memory(owner, sessionId).list(),
    leafId === null ? [] : session.memory.getLoadedSkills(leafId),
    gaugeOf({ owner, session, prompt, leafId, resolved, memoryMode, sentInFull, web, assistant }),
  ]);
  const isTemporary = isTemporaryId(sessionId);
  const [changes, ofPerson, hasFiles] = await Promise.all([
    session.memory.getPromptChanges(),
    personalChanges(owner, prompt.personal),
    !isTemporary && owner.knowledge.hasFiles(),
  ]);
  const isWhole = filesIn(prompt.prompt) !== null;
  const { personal } = prompt;
  // A fork borrows answers, whose receipts stay with the original chat.
  const run = answerId && info.metadata.program ? await owner.runs.get(answerId) : null;
  return {
    blocks,
    prompt: prompt.prompt,
    ...(owner.personal && {
      personal: personal && { prompt: personal.prompt, changes: ofPerson },
    }),
    changes: changes.map(({ change, ...text }) => ({ ...text, kind: change })),
    loadedSkills: [...loadedSkills],
    assistant: inUse && {
      ...inUse.ref,
      text: inUse.text,
      newest: inUse.newest,
      missing: [...(section?.missing ?? [])],
    },
    ...(isWhole && { knowledge: "whole" as const }),
    ...(!isWhole &&
      hasFiles && { knowledge: readsFiles ? ("searched" as const) : ("left-out" as const) }),
    ...(run?.keyId && run.sessionId === sessionId && { programAnswerId: run.messageId }),
    gauge,
    files,
  };
}

interface GaugeAndFiles extends Pick<ContextWire, "gauge" | "files"> {
  readonly answerId: string | undefined;
  /** The model may look into files that are not given. */
  readonly readsFiles: boolean;
}

async function gaugeOf({
  prompt,
  leafId,
  sentInFull,
  ...options
}: Omit<OfferedToolsOptions, "leafId"> & {
  prompt: AnswerPrompt;
  leafId: string | null | undefined;
  sentInFull: SentInFull;
}): Promise<GaugeAndFiles> {
  const { owner, session, resolved } = options;
  const takes = resolved.info.capabilities;
  const [history, offered, skills] = await Promise.all([
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
    ...promptParts(carried.prompt, sectionsOf(prompt, owner.personal !== undefined)),
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
  const answerId = history.findLast(({ role }) => role === "assistant")?.id;
  const offers = { ...tools, ...offered.later?.tools };
  const readsFiles = searchFilesName in offers || readPagesName in offers;
  return { gauge, files: filesGiven(messages, takes), answerId, readsFiles };
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

type Section = Pick<GaugeWire["parts"][number], "label" | "tokens" | "from">;

function sectionsOf({ prompt, personal }: AnswerPrompt, isProject: boolean): Section[] {
  const read = (text: string, from: "you" | "project") =>
    promptSections(text).map(({ label, content }): Section => {
      const tokens = estimateStringTokens(content);
      return { label: label.toLowerCase(), tokens, ...(isProject && { from }) };
    });
  return [...read(prompt, "project"), ...read(personal?.prompt ?? "", "you")];
}

function promptParts(tokens: number, sections: readonly Section[]): GaugeWire["parts"] {
  const shares = inShares(
    tokens,
    sections.map((section) => section.tokens + 1),
  );
  return sections.map(({ label, from }, index) => ({
    source: "prompt",
    label,
    tokens: shares[index] ?? 0,
    ...(from && { from }),
  }));
}

const ownTools = "Memory, chats and skills";

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

/** The whole parts add up to exactly `total`. */
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

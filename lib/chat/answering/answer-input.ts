import type { ToolSet } from "ai";
import { carriedTokens } from "@/lib/chat/compaction/carried-tokens";
import { withCompaction } from "@/lib/chat/compaction/compaction-model";
import type { CompactionRequest, SummaryWriting } from "@/lib/chat/compaction/write-summary";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { ToolRun } from "@/lib/chat/core/tool-source";
import { loadedSkillTokens } from "@/lib/chat/memory/skills";
import type { BlockDefinition } from "@/lib/chat/sessions/blocks";
import {
  modelInput,
  noteToGoOn,
  type SentInFull,
  withQuestionFirst,
} from "@/lib/chat/sessions/model-input";
import { openWith } from "@/lib/chat/sessions/open-session";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import {
  type Feature,
  type ModelParameters,
  parameterSettings,
  type Refusal,
  type ResolvedModel,
} from "@/lib/llm";
import type {
  FrozenText,
  HistoryMessage,
  LoadedSkill,
  Session,
  SessionMessage,
  StoredMessage,
  WriteProvenance,
} from "@/lib/session";
import type { ShortenedOutput } from "@/lib/session/internal";
import { type KeptAnswer, openText } from "./kept-answer";
import { type OfferedTools, offeredTools } from "./offered-tools";
import { type CallSettings, callSettings, type ProgramCall, programTools } from "./program-call";

/** Settings of one answer, from its chat and its program. */
export interface AnswerSettings {
  readonly resolved: ResolvedModel;
  readonly memoryMode: MemoryMode;
  readonly sentInFull: SentInFull;
  readonly program?: ProgramCall | undefined;
  /** Of the chat; the model may not have all of them. */
  readonly parameters?: ModelParameters | undefined;
}

export interface AnswerInput {
  readonly settings: CallSettings;
  /** Those that are sent. */
  readonly parameters: ModelParameters;
  readonly instructions: string;
  readonly messages: readonly StoredMessage[];
  readonly shortened: readonly ShortenedOutput[];
  readonly tools: ToolSet;
  readonly chosen: OfferedTools["chosen"];
  readonly asks: OfferedTools["asks"];
  /** By id. */
  readonly versions: FrozenText["versions"];
  readonly labels: ReadonlyMap<string, string>;
  readonly skills: readonly LoadedSkill[];
  readonly gatheredAt: Date;
  /** Of an answer that goes on: the model was asked to repeat its last words. */
  readonly repeats: boolean;
  /** Known not to be taken, so it was left out. */
  readonly without: readonly Feature[];
  /** Those of the server during the answer. */
  readonly refusals: Refusal[];
  readonly onRefusal: (refusal: Refusal) => void;
  /** The program's own, which cannot be left out. */
  readonly keeps: readonly Feature[];
}

export type Summarize = <Result>(
  request: CompactionRequest,
  act: (writing: SummaryWriting) => Promise<Result>,
) => Promise<Result>;

export interface InputOptions extends AnswerSettings {
  readonly owner: OwnerData;
  readonly session: Session;
  readonly blocks: readonly BlockDefinition[];
  /** End of the history: the question, or the answer that goes on. */
  readonly leafId: string;
  readonly leafStored?: Promise<void> | undefined;
  /** Of an answer that was cut off and goes on. */
  readonly kept?: KeptAnswer | undefined;
  readonly provenance: WriteProvenance;
  readonly signal?: AbortSignal | undefined;
  readonly summarize: Summarize;
  readonly onFound: (entry: { readonly label: string; readonly key: string }) => void;
  readonly atEnd: ToolRun["atEnd"];
}

/** Reads concurrently, compacting first if needed. */
export async function answerInput(options: InputOptions): Promise<AnswerInput> {
  const { session, leafId, leafStored = Promise.resolve() } = options;
  const reading = {
    prompt: promptFor(options),
    skills: leafStored.then(() => session.getLoadedSkills(leafId)),
    tools: toolsFor(options),
  };
  const [{ history, prompt }, skills, offered] = await Promise.all([
    historyAndPrompt(options, reading),
    reading.skills,
    reading.tools,
  ]);
  const said = options.program ? history.filter(isNoInstruction) : history;
  const { messages, shortened } = modelInput(said as StoredMessage[], {
    ...options,
    takes: options.resolved.info.capabilities,
  });
  const settings = settingsFor(options);
  const repeats = isAskedToGoOn(options, settings);
  const now = new Date();
  const asked = repeats ? [{ ...noteToGoOn, createdAt: now }] : [];
  return {
    ...settings,
    instructions: prompt.prompt,
    messages: [...withQuestionFirst(messages), ...asked],
    repeats,
    shortened,
    ...offered,
    versions: prompt.versions,
    labels: session.contextLabels,
    skills,
    gatheredAt: now,
    ...leavingOut(options),
  };
}

function leavingOut({
  owner,
  atEnd,
  resolved: { info },
  program,
}: InputOptions): Pick<AnswerInput, "without" | "refusals" | "onRefusal" | "keeps"> {
  const { tools } = info.capabilities;
  const refusals: Refusal[] = [];
  return {
    without: [
      ...new Set([...(info.without ?? []), ...(tools === false ? (["tools"] as const) : [])]),
    ],
    refusals,
    onRefusal: (refusal) => {
      refusals.push(refusal);
      // Otherwise the next answer learns it from the server again.
      const noted = owner.noteRefusal(info.ref, refusal).catch(() => undefined);
      atEnd(() => noted);
    },
    keeps: program && program.tools.length > 0 ? ["tools"] : [],
  };
}

/** After a call a model goes on anyway. One that reasons cannot begin with its answer. */
function isAskedToGoOn(
  { kept, resolved }: InputOptions,
  { parameters: { reasoning } }: Pick<AnswerInput, "parameters">,
): boolean {
  if (!kept || openText(kept.parts) === null) return false;
  const reasons = reasoning !== undefined && reasoning !== "none";
  return resolved.info.goesOn !== true || reasons;
}

/** A program sets its own. */
function settingsFor({
  program,
  parameters = {},
  resolved,
}: InputOptions): Pick<AnswerInput, "settings" | "parameters"> {
  if (program) return { settings: callSettings(program), parameters: {} };
  const { sent, settings, providerOptions } = parameterSettings(parameters, resolved.info);
  return { settings: { ...settings, providerOptions }, parameters: sent };
}

/** The prompt of a program's answer has them already. */
function isNoInstruction({ metadata }: SessionMessage): boolean {
  return (metadata as GroveMetadata | undefined)?.instruction === undefined;
}

/** A program's own, after Grove's where it uses memory. */
async function promptFor({ session, program }: InputOptions): Promise<FrozenText> {
  if (!program) return session.freezeVersionedPrompt();
  const { instructions, usesMemory } = program;
  if (!usesMemory) return { prompt: instructions, versions: {} };
  const frozen = await session.freezeVersionedPrompt();
  const prompt = [frozen.prompt, instructions].filter((text) => text !== "").join("\n\n");
  return { ...frozen, prompt };
}

async function toolsFor(options: InputOptions): Promise<OfferedTools> {
  const { program } = options;
  if (program && !program.usesMemory) {
    return { tools: programTools(program), chosen: new Map(), asks: new Set() };
  }
  const offered = await offeredTools({
    ...options,
    mayAsk: program === undefined,
    searchesChats: (program?.blocks ?? null) === null,
  });
  if (!program) return offered;
  const named = programTools(program);
  const chosen = [...offered.chosen].filter(([name]) => !(name in named));
  return { ...offered, tools: { ...offered.tools, ...named }, chosen: new Map(chosen) };
}

interface Reading {
  readonly prompt: Promise<FrozenText>;
  readonly skills: Promise<readonly LoadedSkill[]>;
  readonly tools: Promise<OfferedTools>;
}

/** A compaction renders the prompt again. */
async function historyAndPrompt(
  options: InputOptions,
  reading: Reading,
): Promise<{ history: HistoryMessage[]; prompt: FrozenText }> {
  const { session } = options;
  let wasCompacted = false;
  const stopListening = session.on("compact", () => {
    wasCompacted = true;
  });
  try {
    const [history, prompt] = await Promise.all([fittingHistory(options, reading), reading.prompt]);
    return { history, prompt: wasCompacted ? await promptFor(options) : prompt };
  } finally {
    stopListening();
  }
}

function fittingHistory(options: InputOptions, reading: Reading): Promise<HistoryMessage[]> {
  const { owner, blocks, resolved, leafId, leafStored, signal, summarize, sentInFull } = options;
  const sessionId = options.session.id;
  const contextTokens = async (history: readonly SessionMessage[]) => {
    const [{ prompt }, { tools }, loaded] = await Promise.all([
      reading.prompt,
      reading.tools,
      reading.skills,
    ]);
    const skills = await loadedSkillTokens(owner, sessionId, loaded);
    const skillTokens = skills.map(({ tokens }) => tokens);
    const model = resolved.info.ref;
    const takes = resolved.info.capabilities;
    const { messages } = modelInput(history, { sentInFull, takes });
    return (await carriedTokens({ prompt, tools, messages, skillTokens, model })).total;
  };
  const request = { sessionId, leafId, resolved, isManual: false, signal };
  return summarize(request, async (writing) => {
    const compaction = { ...writing.options, contextTokens, sentInFull };
    const compacting = withCompaction(openWith(owner, sessionId, blocks), owner, compaction);
    await leafStored;
    return compacting.getModelHistory(leafId, {
      compactsIfNeeded: true,
      signal: writing.signal,
      loadedSkills: reading.skills,
    });
  });
}

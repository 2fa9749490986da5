import type { ToolSet } from "ai";
import type {
  HistoryMessage,
  LoadedSkill,
  Session,
  SessionMessage,
  StoredMessage,
} from "grove-session";
import type { Block, FrozenText, ShortenedOutput, WriteProvenance } from "grove-session/ports";
import { carriedTokens } from "@/lib/chat/compaction/carried-tokens";
import { withCompaction } from "@/lib/chat/compaction/compaction-model";
import type { CompactionRequest, SummaryWriting } from "@/lib/chat/compaction/write-summary";
import type { OwnerData, PersonalPart } from "@/lib/chat/core/owner-data";
import { isTemporarySpace } from "@/lib/chat/core/person-in-space";
import type { ToolRun } from "@/lib/chat/core/tool-source";
import {
  type AssistantInUse,
  type AssistantSection,
  assistantSection,
  readAssistantInUse,
} from "@/lib/chat/memory/assistant-in-use";
import { loadedSkillTokens } from "@/lib/chat/memory/skills";
import { retry } from "@/lib/chat/runs/retry";
import { type BlockDefinition, blocksOf, knownBlocks } from "@/lib/chat/sessions/blocks";
import { modelInput, noteToGoOn, withQuestionFirst } from "@/lib/chat/sessions/model-input";
import { mustLeaveFilesOut, openInPassing, openWith } from "@/lib/chat/sessions/open-session";
import { personalPart } from "@/lib/chat/sessions/personal-part";
import type { AssistantRef } from "@/lib/chat/wire/assistants";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { ResolvedModel } from "@/lib/llm";
import {
  type Feature,
  type FeatureRefusal,
  type ModelParameters,
  parameterSettings,
} from "@/lib/llm";
import { openText } from "./kept-answer";
import { UnreadInputError } from "./model-stream";
import { type OfferedTools, offeredTools } from "./offered-tools";
import { type Leg, leafOf, type Order } from "./order";
import { type CallSettings, callSettings, programTools } from "./program-call";

/** Instructions of the chat's space, followed in a project by the person's own. */
export interface AnswerPrompt extends FrozenText {
  readonly personal: PersonalPart | null;
}

export function textOf({ prompt, personal }: Pick<AnswerPrompt, "prompt" | "personal">): string {
  return [prompt, personal?.prompt ?? ""].filter((text) => text !== "").join("\n\n");
}

/** @param known the space's kept text, if already read. @param renews renders again, and stores what differs. */
export async function promptOf(
  owner: OwnerData,
  session: Session,
  { known, renews, model }: KeptPromptOptions,
): Promise<AnswerPrompt> {
  const [frozen, personal] = await Promise.all([
    frozenText(owner, session, { known, renews, model }),
    owner.personal?.isOn ? personalPart(owner, session.id, renews) : null,
  ]);
  return { ...frozen, personal };
}

interface KeptPromptOptions {
  readonly known?: FrozenText | null | undefined;
  readonly renews?: boolean | undefined;
  /** Gets the prompt. */
  readonly model: Pick<ResolvedModel, "info">;
}

async function frozenText(
  owner: OwnerData,
  session: Session,
  { known, renews, model }: KeptPromptOptions,
): Promise<FrozenText> {
  const kept = await session.memory.freezeVersionedPrompt(known, { renews });
  const isUnfit = owner.personal && (await mustLeaveFilesOut(owner, kept.prompt, model));
  return isUnfit ? session.memory.freezeVersionedPrompt(undefined, { renews: true }) : kept;
}

export interface AnswerInput {
  readonly settings: CallSettings;
  readonly parameters: ModelParameters;
  readonly instructions: string;
  readonly prompt: AnswerPrompt;
  readonly messages: readonly StoredMessage[];
  readonly shortened: readonly ShortenedOutput[];
  readonly tools: ToolSet;
  readonly later?: OfferedTools["later"];
  readonly chosen: OfferedTools["chosen"];
  readonly asks: OfferedTools["asks"];
  readonly versions: FrozenText["versions"];
  readonly labels: ReadonlyMap<string, string>;
  readonly skills: readonly LoadedSkill[];
  readonly assistant: AssistantRef | null;
  readonly missing: readonly string[];
  readonly gatheredAt: Date;
  readonly repeats: boolean;
  readonly without: readonly Feature[];
  readonly refusals: FeatureRefusal[];
  readonly onRefusal: (refusal: FeatureRefusal) => void;
  readonly keeps: readonly Feature[];
}

type Summarize = <Result>(
  request: CompactionRequest,
  act: (writing: SummaryWriting) => Promise<Result>,
) => Promise<Result>;

export interface PreparedInput {
  readonly found: readonly LoadedSkill[];
  /** Waits for an absent database. @throws {UnreadInputError} */
  read(): Promise<AnswerInput>;
  end(): Promise<void>;
}

interface PrepareOptions {
  readonly owner: OwnerData;
  readonly order: Order;
  readonly leg: Leg;
  readonly signal: AbortSignal;
  readonly summarize: Summarize;
}

/** The answer's first word waits for this input. */
export function prepareInput({ owner, order, leg, ...options }: PrepareOptions): PreparedInput {
  const { sessionId, messageId } = order;
  const open = async (read?: readonly Block[]) => {
    const all = await blocksOf(owner, sessionId, read);
    const known = leg.program?.blocks ?? null;
    const blocks = knownBlocks(all, known);
    const openFor = known === null ? openWith : openInPassing;
    return { blocks, session: openFor(owner, sessionId, blocks, leg.resolved) };
  };
  const found: LoadedSkill[] = [];
  const closing: (() => Promise<void> | void)[] = [];
  const opening = open(leg.facts?.blocks);
  const openedOrAgain = () => opening.catch(() => open());
  const gather = async () => {
    const { assistant: asked } = order;
    const [opened, inUse] = await Promise.all([
      openedOrAgain(),
      asked && readAssistantInUse(owner, asked),
    ]);
    return answerInput({
      ...{ owner, ...leg, ...options, ...opened, asked, inUse },
      leafId: leafOf(order, leg),
      provenance: { author: "model", sessionId, messageId },
      onFound: (entry) => void found.push(entry),
      atEnd: (close) => void closing.push(close),
    });
  };
  const reading = Promise.allSettled([retry(gather, { tries: 1, signal: options.signal })]);
  const read = async () => {
    const [input] = await reading;
    if (input.status === "fulfilled") return input.value;
    const { reason: cause } = input;
    throw new UnreadInputError("The input of an answer could not be read.", { cause });
  };
  const end = async () => {
    await Promise.allSettled(closing.splice(0).map(async (close) => close()));
  };
  return { found, read, end };
}

interface InputOptions extends Omit<Leg, "begun" | "question"> {
  readonly owner: OwnerData;
  readonly session: Session;
  readonly blocks: readonly BlockDefinition[];
  readonly leafId: string;
  readonly asked: Order["assistant"];
  readonly inUse: AssistantInUse | null;
  readonly provenance: WriteProvenance;
  readonly signal: AbortSignal;
  readonly summarize: Summarize;
  readonly onFound: (entry: { readonly label: string; readonly key: string }) => void;
  readonly atEnd: ToolRun["atEnd"];
}

const noSection: AssistantSection = { prompt: "", missing: [] };

async function answerInput(options: InputOptions): Promise<AnswerInput> {
  const { session, leafId, leafStored = Promise.resolve() } = options;
  const { owner, blocks, inUse } = options;
  const section = inUse
    ? assistantSection(owner, { blocks, inUse, sessionId: session.id })
    : Promise.resolve(noSection);
  const reading = {
    prompt: promptFor(options, section),
    skills: leafStored.then(() => session.memory.getLoadedSkills(leafId)),
    tools: toolsFor(options),
  };
  const [{ history, prompt }, skills, offered, { missing }] = await Promise.all([
    historyAndPrompt(options, { ...reading, section }),
    reading.skills,
    reading.tools,
    section,
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
    instructions: textOf(prompt),
    prompt,
    messages: [...withQuestionFirst(messages), ...asked],
    repeats,
    shortened,
    ...offered,
    versions: prompt.versions,
    labels: session.memory.labelsById,
    skills,
    assistant: inUse?.ref ?? null,
    missing: [...missing, ...missingIn(options, offered)],
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
  const refusals: FeatureRefusal[] = [];
  return {
    without: [
      ...new Set([...(info.without ?? []), ...(tools === false ? (["tools"] as const) : [])]),
    ],
    refusals,
    onRefusal: (refusal) => {
      refusals.push(refusal);
      const noted = owner.noteRefusal(info.ref, refusal).catch(() => undefined);
      atEnd(() => noted);
    },
    keeps: program && program.tools.length > 0 ? ["tools"] : [],
  };
}

/** A model that reasons cannot begin with its answer; after a call it goes on anyway. */
function isAskedToGoOn(
  { kept, resolved }: InputOptions,
  { parameters: { reasoning } }: Pick<AnswerInput, "parameters">,
): boolean {
  if (!kept || openText(kept) === null) return false;
  const reasons = reasoning !== undefined && reasoning !== "none";
  return resolved.info.goesOn !== true || reasons;
}

function settingsFor({
  program,
  parameters = {},
  resolved,
}: InputOptions): Pick<AnswerInput, "settings" | "parameters"> {
  if (program) return { settings: callSettings(program), parameters: {} };
  const { sent, settings, providerOptions } = parameterSettings(parameters, resolved.info);
  return { settings: { ...settings, providerOptions }, parameters: sent };
}

function isNoInstruction({ metadata }: SessionMessage): boolean {
  return (metadata as GroveMetadata | undefined)?.instruction === undefined;
}

function missingIn(
  { inUse, asked, resolved }: InputOptions,
  { tools, later }: OfferedTools,
): string[] {
  const named = resolved.info.capabilities.tools === false ? null : inUse?.assistant?.tools;
  const offered = { ...tools, ...later?.tools };
  const gone = (named ?? []).filter((name) => !Object.hasOwn(offered, name));
  return [
    ...(asked?.goneModel === undefined ? [] : [`the model “${asked.goneModel}”`]),
    ...gone.map((name) => `the tool “${name}”`),
  ];
}

type PromptInput = Pick<
  InputOptions,
  "owner" | "session" | "program" | "facts" | "renewsPrompt" | "resolved"
>;

async function promptFor(
  options: PromptInput,
  section: Promise<AssistantSection>,
): Promise<AnswerPrompt> {
  const [frozen, { prompt: added }] = await Promise.all([frozenFor(options), section]);
  return added === "" ? frozen : { ...frozen, prompt: joined(frozen.prompt, added) };
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

async function frozenFor({
  session,
  program,
  owner,
  facts,
  renewsPrompt: renews,
  resolved: model,
}: PromptInput): Promise<AnswerPrompt> {
  if (!program) return promptOf(owner, session, { known: facts?.frozen, renews, model });
  const { instructions, usesMemory } = program;
  const personal = null;
  if (!usesMemory) return { prompt: instructions, versions: {}, personal };
  const frozen = await frozenText(owner, session, { renews, model });
  return { ...frozen, prompt: joined(frozen.prompt, instructions), personal };
}

async function toolsFor(options: InputOptions): Promise<OfferedTools> {
  const { program } = options;
  if (program && !program.usesMemory) {
    return { tools: programTools(program), chosen: new Map(), asks: new Set() };
  }
  const offered = await offeredTools({
    ...options,
    assistant: options.inUse?.assistant,
    seenVersions: versionsIn(options),
    web: program ? undefined : options.parameters?.web,
    mayAsk: program === undefined,
    // Beside a request that is not kept are the person's temporary chats.
    searchesChats:
      !program || ((program.blocks ?? null) === null && !isTemporarySpace(options.owner.spaceId)),
  });
  if (!program) return offered;
  const named = programTools(program);
  const chosen = [...offered.chosen].filter(([name]) => !(name in named));
  return { ...offered, tools: { ...offered.tools, ...named }, chosen: new Map(chosen) };
}

/** `undefined` where a block was made since. */
function versionsIn({ facts, blocks }: InputOptions): Map<string, number> | undefined {
  if (!facts) return undefined;
  const texts = facts.blocks.filter(({ kind }) => kind === "writable");
  const versions = new Map(texts.map(({ id, version }) => [id, version]));
  const isKnown = blocks.every(({ id, kind }) => kind !== "writable" || versions.has(id));
  return isKnown ? versions : undefined;
}

interface Reading {
  readonly prompt: Promise<AnswerPrompt>;
  readonly section: Promise<AssistantSection>;
  readonly skills: Promise<readonly LoadedSkill[]>;
  readonly tools: Promise<OfferedTools>;
}

async function historyAndPrompt(
  options: InputOptions,
  reading: Reading,
): Promise<{ history: HistoryMessage[]; prompt: AnswerPrompt }> {
  const { session } = options;
  let wasCompacted = false;
  const stopListening = session.on("compact", () => {
    wasCompacted = true;
  });
  try {
    const [history, prompt] = await Promise.all([fittingHistory(options, reading), reading.prompt]);
    return {
      history,
      prompt: wasCompacted
        ? await promptFor({ ...options, facts: undefined, renewsPrompt: false }, reading.section)
        : prompt,
    };
  } finally {
    stopListening();
  }
}

function fittingHistory(options: InputOptions, reading: Reading): Promise<HistoryMessage[]> {
  const { owner, blocks, resolved, leafId, leafStored, signal, summarize, sentInFull } = options;
  const sessionId = options.session.id;
  const contextTokens = async (history: readonly SessionMessage[]) => {
    const [prompt, { tools }, loaded] = await Promise.all([
      reading.prompt,
      reading.tools,
      reading.skills,
    ]);
    const skills = await loadedSkillTokens(owner, sessionId, loaded, blocks);
    const skillTokens = skills.map(({ tokens }) => tokens);
    const model = resolved.info.ref;
    const takes = resolved.info.capabilities;
    const { messages } = modelInput(history, { sentInFull, takes });
    return (await carriedTokens({ prompt: textOf(prompt), tools, messages, skillTokens, model }))
      .total;
  };
  const request = { sessionId, leafId, resolved, isManual: false, signal };
  return summarize(request, async (writing) => {
    const compaction = { ...writing.options, contextTokens, sentInFull };
    const compacting = withCompaction(
      openWith(owner, sessionId, blocks, resolved),
      owner,
      compaction,
    );
    await leafStored;
    return compacting.getModelHistory(leafId, {
      compactsIfNeeded: true,
      signal: writing.signal,
      loadedSkills: reading.skills,
    });
  });
}

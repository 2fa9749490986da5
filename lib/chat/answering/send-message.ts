import {
  InvalidArgumentError,
  MessageConflictError,
  MessageNotFoundError,
  type SessionInfo,
  type SessionMessagePart,
  SessionNotFoundError,
} from "grove-session";
import { assertStorable } from "grove-session/ports";
import type { z } from "zod";
import { replaceAsked } from "@/lib/chat/branches/keep-answer";
import { ChatError } from "@/lib/chat/core/chat-error";
import { cleanText } from "@/lib/chat/core/clean-text";
import { fileNotFound } from "@/lib/chat/core/file-store";
import type { OwnerData, SendFacts } from "@/lib/chat/core/owner-data";
import type { RunRecord, StartedRun } from "@/lib/chat/core/run-store";
import { assistantIn, parametersIn } from "@/lib/chat/core/settings-store";
import { defaultAssistantOf, readAssistantInUse } from "@/lib/chat/memory/assistant-in-use";
import { sentInFullIn } from "@/lib/chat/sessions/model-input";
import { createSession, type NewSession } from "@/lib/chat/sessions/open-session";
import {
  entryOf,
  entryWire,
  isPromptCold,
  memoryModeOf,
  runWire,
} from "@/lib/chat/sessions/transcript";
import { nullIfGone } from "@/lib/chat/settings/models";
import type { AssistantRef } from "@/lib/chat/wire/assistants";
import {
  type AttachedFile,
  attachedFile,
  filePart,
  maxAltText,
  maxFileName,
} from "@/lib/chat/wire/files";
import type {
  GroveMetadata,
  SendResponse,
  sendRequest,
  startRunRequest,
} from "@/lib/chat/wire/messages";
import type { ResolvedModel } from "@/lib/llm";
import { keptAnswer } from "./kept-answer";
import { firstLeg, type Leg, memoryModeFor, newOrder, type Order } from "./order";
import type { Runner } from "./runner";

export type ChooseModel = (ref: string | null) => Promise<ResolvedModel>;

export interface Answering {
  readonly owner: OwnerData;
  readonly runner: Runner;
  readonly chooseModel: ChooseModel;
}

const maxTextLength = 200_000;

/**
 * Idempotent by the client's ids; a message whose sender had not seen the newest one becomes a sibling. A refused
 * message stores nothing, not even its session. @throws {ChatError} `bad-parts`, `too-many-runs`. @throws
 * {MessageConflictError} when the id exists with another text, parent or answer.
 */
export async function sendMessage(
  answering: Answering,
  sessionId: string,
  request: z.output<typeof sendRequest>,
): Promise<SendResponse> {
  const { owner, runner } = answering;
  const parts = await sendableParts(owner, request.parts);
  const { newSession, assistant } = request;
  const asked = request.generate ? request.together : undefined;
  const metadata: GroveMetadata = {
    ...(asked && { together: asked }),
    ...(assistant && { assistant }),
  };
  const message = {
    id: request.id,
    role: "user" as const,
    parts,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  assertStorable(message);
  const parentId = request.parentId === undefined ? request.expectedLeaf : request.parentId;
  const { facts, isStored, answer, choice } = await readyToSend(answering, sessionId, {
    ...request,
    parentId,
  });
  const { pausedRunId } = facts;
  const { model } = choice;
  const begun = { ...choice, id: sessionId, title: newSession?.title };
  const created = newSession && (await createSession(owner, begun));
  const info = created ?? facts.session;
  if (!info) throw new SessionNotFoundError(sessionId);
  const append = async () => {
    await owner.store.messages(sessionId).appendMessage(message, parentId);
    if (pausedRunId !== null) await runner.withdraw(owner, pausedRunId);
  };
  const isAsked = answer !== null && !isStored && pausedRunId === null;
  const appended = isAsked ? undefined : append();
  const place = { parentId: request.id, isNew: !isStored, facts };
  const starting =
    answer &&
    startAnswer({ owner, runner }, info, {
      ...{ ...answer, ...place, isTogether: !!asked, leafStored: appended },
      ...(isAsked && { question: { message, parentId } }),
    });
  const leafStored = appended ?? Promise.resolve(starting).then(() => undefined);
  const [started, others, entry] = await Promise.all([
    starting,
    startOthers({ owner, runner }, info, { others: answer?.others ?? [], ...place, leafStored }),
    leafStored.then(async () => {
      const stored = await starting;
      return stored?.asked ? entryWire(stored.asked) : entryOf(owner, sessionId, request.id);
    }),
    leafStored.then(async () => {
      if (model && model !== info.model) await owner.store.sessions.update(sessionId, { model });
    }),
  ]);
  return {
    entry,
    run: started && runWire(started.run),
    ...(asked && { others: others.map(runWire) }),
  };
}

async function startOthers(
  answering: Pick<Answering, "owner" | "runner">,
  info: SessionInfo,
  {
    others,
    ...place
  }: Pick<AnswerStart, "parentId" | "isNew" | "facts" | "leafStored"> & {
    others: readonly OtherAnswer[];
  },
): Promise<RunRecord[]> {
  const starting = others.map((other, index) =>
    startAnswer(answering, info, { ...other, ...place, isTogether: true, offset: index + 1 }),
  );
  const started = await Promise.allSettled(starting);
  return started.flatMap((each) => (each.status === "fulfilled" ? each.value.run : []));
}

type OtherAnswer = Pick<AnswerStart, "answerId" | "resolved" | "taken" | "assistant">;

type Asked = Pick<
  z.output<typeof sendRequest>,
  "id" | "model" | "generate" | "newSession" | "together" | "assistant"
> & {
  readonly answerId?: string | undefined;
  readonly parentId: string | null | undefined;
};

interface Ready {
  readonly facts: SendFacts;
  readonly choice: ChatChoice;
  readonly isStored: boolean;
  readonly answer: (OtherAnswer & { readonly others: readonly OtherAnswer[] }) | null;
}

async function readyToSend(
  { owner, runner, chooseModel }: Answering,
  sessionId: string,
  asked: Asked,
): Promise<Ready> {
  const messages = owner.store.messages(sessionId);
  const { parentId = null, generate, together = [] } = asked;
  const [first, ...others] = together;
  const givenId = first?.answerId ?? asked.answerId;
  const named = generate ? [givenId, ...others.map(({ answerId }) => answerId)] : [];
  const answerIds = named.filter((id) => id !== undefined);
  for (const id of answerIds) assertStorable({ id, role: "assistant", parts: [] });
  const ids = [asked.id, ...answerIds, ...(parentId === null ? [] : [parentId])];
  const facts = await owner.sendFacts(sessionId, { ids, parentId });
  const { session, known, pausedRunId } = facts;
  if (!session && !asked.newSession) await requireOpen(owner, sessionId);
  const isStored = known.has(asked.id);
  const isUnder = parentId !== null && known.has(parentId);
  if (parentId !== null && !isUnder && !isStored) throw new MessageNotFoundError(parentId);
  if (isStored && (isUnder || asked.parentId === null)) {
    const entry = await entryOf(owner, sessionId, asked.id);
    if (entry.parentId !== parentId) throw new MessageConflictError(asked.id);
  }
  const isBegun = session !== null || !asked.newSession;
  const choice = await choiceFor(
    { owner, chooseModel },
    {
      ...(isBegun ? { assistant: null } : asked.newSession),
      model: together.length > 0 && generate ? undefined : asked.model,
    },
  );
  if (!generate) return { facts, choice, isStored, answer: null };
  const answers = isStored ? await answersTo(owner, sessionId, asked.id) : [];
  const answerId = givenId ?? answers[0] ?? crypto.randomUUID();
  if (answers.length > 0 && !answers.includes(answerId)) throw new MessageConflictError(asked.id);
  const { resolved, assistant } = await askedAssistant(
    { owner, chooseModel },
    { ...asked, model: first?.model ?? choice.model ?? session?.model ?? null },
  );
  if (!session || pausedRunId !== null || others.length > 0)
    await runner.assertMayStart(owner, answerId, others.length);
  const isTaken =
    known.has(answerId) ||
    (givenId === undefined && isStored && (await messages.getMessage(answerId)) !== null);
  const taken = isTaken ? await runOf(owner, { sessionId, answerId }) : null;
  const ready = others.map(async ({ answerId, model }): Promise<OtherAnswer> => {
    const taken = known.has(answerId) ? await runOf(owner, { sessionId, answerId }) : null;
    const other = assistant && { ...assistant, goneModel: undefined };
    return { answerId, resolved: await chooseModel(model), taken, assistant: other };
  });
  return {
    facts,
    choice,
    isStored,
    answer: { answerId, resolved, taken, assistant, others: await Promise.all(ready) },
  };
}

type ChatChoice = Pick<NewSession, "model" | "parameters" | "assistant">;

/** A chat of a project begins with the project's assistant, unless another one or none is asked for. */
export async function choiceFor(
  { owner, chooseModel }: Pick<Answering, "owner" | "chooseModel">,
  {
    model,
    parameters,
    assistant,
  }: Omit<ChatChoice, "assistant"> & {
    readonly assistant?: AssistantRef | null | undefined;
  },
): Promise<ChatChoice> {
  const asked = { model, parameters, assistant: assistant ?? undefined };
  const found = assistant === undefined ? await defaultAssistantOf(owner) : null;
  if (!found) return asked;
  const own = model === undefined ? found.assistant.model : null;
  const isThere = own !== null && (await chooseModel(own).catch(nullIfGone)) !== null;
  return {
    model: isThere ? own : model,
    parameters: { ...found.assistant.parameters, ...parameters },
    assistant: found.ref,
  };
}

interface AskedFor {
  readonly assistant?: AssistantRef | undefined;
  /** Answers where neither this answer nor the assistant has one. */
  readonly model: string | null;
  readonly chosen?: string | null | undefined;
}

async function askedAssistant(
  { owner, chooseModel }: Pick<Answering, "owner" | "chooseModel">,
  { assistant: ref, model, chosen = null }: AskedFor,
): Promise<Pick<AnswerStart, "resolved" | "assistant">> {
  if (!ref) return { resolved: await chooseModel(chosen ?? model) };
  const { assistant } = await readAssistantInUse(owner, ref);
  const own = chosen === null ? (assistant?.model ?? null) : null;
  const resolved = own === null ? null : await chooseModel(own).catch(nullIfGone);
  return {
    resolved: resolved ?? (await chooseModel(chosen ?? model)),
    assistant: {
      ...ref,
      parameters: assistant?.parameters ?? {},
      goneModel: own !== null && resolved === null ? own : undefined,
    },
  };
}

/** @throws {SessionExpiredError} @throws {SessionNotFoundError} */
async function requireOpen(owner: OwnerData, sessionId: string): Promise<never> {
  await owner.store.messages(sessionId).getLatestLeaf();
  throw new SessionNotFoundError(sessionId);
}

async function answersTo(
  owner: OwnerData,
  sessionId: string,
  messageId: string,
): Promise<string[]> {
  const [children, running] = await Promise.all([
    owner.store.messages(sessionId).getBranches(messageId),
    owner.runs.running(sessionId),
  ]);
  const written = running.filter(({ parentId }) => parentId === messageId);
  return [...children.filter(({ role }) => role === "assistant"), ...written].map(({ id }) => id);
}

/** @throws {MessageNotFoundError} @throws {InvalidArgumentError} when it is not a question. */
export async function answerMessage(
  { owner, runner, chooseModel }: Answering,
  sessionId: string,
  request: z.output<typeof startRunRequest>,
): Promise<RunRecord> {
  const { answerId, parentId, replaces, continues } = request;
  const [facts] = await Promise.all([
    owner.sendFacts(sessionId, { ids: [answerId], parentId }),
    runner.assertMayStart(owner, answerId),
  ]);
  const info = facts.session ?? (await requireOpen(owner, sessionId));
  const { message } = await entryOf(owner, sessionId, parentId);
  if (message.role === "assistant" && message.metadata?.status === "complete") {
    throw new InvalidArgumentError("This message is an answer. Regenerate it from its question.");
  }
  if (facts.pausedRunId !== null) await runner.withdraw(owner, facts.pausedRunId);
  const isTaken = facts.known.has(answerId);
  const cut =
    continues === undefined || isTaken
      ? null
      : await keptAnswer(owner, { sessionId, messageId: continues, parentId });
  const named = assistantIn({ ...message.metadata }) ?? undefined;
  const { resolved, assistant } = await askedAssistant(
    { owner, chooseModel },
    { assistant: named, model: info.model, chosen: request.model ?? cut?.model },
  );
  if (replaces !== undefined) {
    const by = { answerId, model: resolved.info.ref };
    await replaceAsked(owner, { sessionId, messageId: parentId, replaces, by });
  }
  // Takes the sibling's place only while its question is the active leaf.
  if (!isTaken) await owner.store.messages(sessionId).setActiveLeaf(parentId);
  const { run } = await startAnswer({ owner, runner }, info, {
    ...{ ...request, resolved, facts, assistant },
    ...(cut && { kept: cut.kept, keptParts: cut.parts }),
    ...(cut && !named && { assistant: cut.assistant }),
    taken: isTaken ? await runOf(owner, { sessionId, answerId }) : null,
    isNew: false,
  });
  return run;
}

interface AnswerStart
  extends Pick<Leg, "resolved" | "leafStored" | "facts" | "question">,
    Partial<Pick<Order, "kept" | "isTogether">> {
  readonly assistant?: Order["assistant"] | undefined;
  readonly answerId: string;
  readonly parentId: string;
  readonly taken: RunRecord | null;
  readonly isNew: boolean;
  readonly keptParts?: readonly SessionMessagePart[];
  readonly offset?: number;
}

async function startAnswer(
  { owner, runner }: Pick<Answering, "owner" | "runner">,
  info: SessionInfo,
  { answerId, parentId, taken, isNew, ...start }: AnswerStart,
): Promise<Pick<StartedRun, "run" | "asked">> {
  const sessionId = info.id;
  const { resolved, facts, question, leafStored, kept = null, keptParts } = start;
  if (taken || !isNew) await leafStored;
  if (taken) return { run: taken, asked: null };
  // The answer is stored at its end, so an invalid id must be refused before.
  assertStorable({ id: answerId, role: "assistant", parts: [] });
  const siblings = isNew ? [] : await owner.store.messages(sessionId).getBranches(parentId);
  const answers = siblings.filter(({ role }) => role === "assistant").length;
  const { choice, info: model } = resolved;
  const order = newOrder({
    ...{ sessionId, messageId: answerId, parentId, model: model.ref, kept },
    ...(choice && { choice }),
    isTogether: start.isTogether ?? false,
    variation: (start.offset ?? 0) + answers,
    assistant: start.assistant === undefined ? assistantIn(info.metadata) : start.assistant,
  });
  const leg = {
    ...{ begun: firstLeg, resolved, facts, question, leafStored, kept: keptParts },
    renewsPrompt: isPromptCold(info),
    ...settingsOf(info, order),
  };
  return runner.start({ owner, order, leg });
}

export function settingsOf(
  info: SessionInfo,
  order: Order,
): Pick<Leg, "memoryMode" | "parameters" | "sentInFull"> {
  return {
    memoryMode: memoryModeFor(order, memoryModeOf(info)),
    parameters: order.assistant?.parameters
      ? { ...order.assistant.parameters, web: parametersIn(info.metadata).web }
      : parametersIn(info.metadata),
    sentInFull: sentInFullIn(info),
  };
}

async function runOf(
  owner: OwnerData,
  { sessionId, answerId }: { sessionId: string; answerId: string },
): Promise<RunRecord> {
  const run = await owner.runs.get(answerId);
  if (run?.sessionId !== sessionId) throw new MessageConflictError(answerId);
  return run;
}

/** @throws {ChatError} `bad-parts`, `file-not-found`, `file-unread`. */
async function sendableParts(
  { files }: Pick<OwnerData, "files">,
  parts: readonly SessionMessagePart[],
): Promise<SessionMessagePart[]> {
  const named = parts.map((part) => attachedFile(part));
  const hashes = named.flatMap((file) => file?.sha256 ?? []);
  const stored = new Map(
    hashes.length === 0 ? [] : (await files.whenRead(hashes)).map((file) => [file.sha256, file]),
  );
  const sendable = parts.map((part, index): SessionMessagePart => {
    const file = named[index];
    if (!file) return sendableText(part, index);
    const facts = stored.get(file.sha256);
    if (!facts) throw fileNotFound();
    assertFileTexts(file, index);
    const { name, alt } = cleanText({ name: file.name, alt: file.alt ?? "" });
    return filePart({ ...facts, name, ...(alt.trim() !== "" && { alt }) });
  });
  if (hashes.length === 0 && sendable.every((part) => String(part.text).trim() === ""))
    throw new ChatError("bad-parts", "The message is empty.", { field: "parts" });
  return sendable;
}

function sendableText(part: SessionMessagePart, index: number): SessionMessagePart {
  if (part.type !== "text" || typeof part.text !== "string") {
    const message = "A message consists of text and stored files.";
    throw new ChatError("bad-parts", message, { field: `parts.${index}` });
  }
  if (part.text.length > maxTextLength) {
    const limit = maxTextLength.toLocaleString("en");
    throw new ChatError(
      "bad-parts",
      `A message has at most ${limit} characters; this one has ${part.text.length.toLocaleString("en")}.`,
      { field: `parts.${index}.text` },
    );
  }
  return cleanText({ type: "text", text: part.text });
}

function assertFileTexts({ name, alt = "" }: AttachedFile, index: number): void {
  const longest = Math.max(name.length - maxFileName, alt.length - maxAltText);
  if (longest <= 0) return;
  const message = `A file's name has at most ${maxFileName} characters, its description ${maxAltText}.`;
  throw new ChatError("bad-parts", message, { field: `parts.${index}` });
}
